package dev.penstock.server.internal.net;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.server.ClientSettings;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The division of a port's drain time. */
class PortBoundsTest {
    /** Armeria waits for one second after its own timeout if an HTTP/1 request is unfinished. */
    private static final Duration ARMERIA_PATIENCE = Duration.ofSeconds(1);

    @ParameterizedTest
    @CsvSource({"10000, 5000, 4000", "4000, 2000, 1000"})
    void drainTime_coversBothSteps_andArmeriasOwnWait(long drainMillis, long http2Millis, long serverMillis) {
        Duration drain = Duration.ofMillis(drainMillis);
        Port.Bounds bounds = new Port.Bounds(ClientSettings.DEFAULT, drain);

        assertThat(bounds.stepAtMost()).hasMillis(http2Millis);
        assertThat(bounds.serverAtMost()).hasMillis(serverMillis);
        assertThat(bounds.stepAtMost().plus(bounds.serverAtMost()).plus(ARMERIA_PATIENCE))
                .isEqualTo(drain);
    }

    /** Requests on the wire arrive even if Armeria's wait takes the whole step. */
    @ParameterizedTest
    @CsvSource({"2000, 100", "1000, 100", "100, 50", "0, 0"})
    void shortDrainTime_leavesAQuietPeriod(long drainMillis, long serverMillis) {
        Port.Bounds bounds = new Port.Bounds(ClientSettings.DEFAULT, Duration.ofMillis(drainMillis));

        assertThat(bounds.serverAtMost()).hasMillis(serverMillis);
    }
}
