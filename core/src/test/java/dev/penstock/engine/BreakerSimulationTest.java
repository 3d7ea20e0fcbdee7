package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.TestSeed;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the statements of {@code docs/adr/0013-steady.md} about the breaker on random traffic. */
class BreakerSimulationTest {
    private final long seed = TestSeed.printed("breaker simulations");

    @ParameterizedTest
    @CsvSource({"1, 0.01", "1, 0.15", "5, 0.15", "20, 0.15", "100, 0.15", "1000, 0.15", "100000, 0.01", "100000, 0.15"})
    void lateTrips_belowTheDocumentedShare_neverOpenTheBreaker(double decisionsPerSecond, double lateShare) {
        Duration time = Duration.ofSeconds(decisionsPerSecond > 100 ? 20 : 120);
        BreakerSimulation run =
                new BreakerSimulation(decisionsPerSecond, seed).late(lateShare).run(time);
        assertThat(run.openings()).as("seed %s", seed).isZero();
    }

    @ParameterizedTest
    @ValueSource(doubles = {1, 5, 20, 100, 1_000, 100_000})
    void deadStore_isGivenUpWithinASecondAndBackWithinThree(double decisionsPerSecond) {
        BreakerSimulation run = new BreakerSimulation(decisionsPerSecond, seed).run(Duration.ofSeconds(3));
        Instant death = run.now();
        run.late(1).run(Duration.ofSeconds(20));
        assertThat(run.openings()).as("seed %s", seed).isEqualTo(1);
        Instant firstTrip = run.firstTripSince(death);
        assertThat(run.openedAfter(firstTrip)).as("seed %s", seed).isLessThan(Duration.ofSeconds(1));
        Instant back = run.now();
        run.late(0).run(Duration.ofSeconds(3));
        assertThat(run.isInFallback()).as("seed %s", seed).isFalse();
        assertThat(run.closedAfter(back)).as("seed %s", seed).isLessThan(Duration.ofSeconds(3));
    }

    @ParameterizedTest
    @CsvSource({"1, 0.15", "20, 0.15", "100, 0.15", "1000, 0.15", "100000, 0.15"})
    void storeBackWithSomeLateTrips_belowTheDocumentedShare_staysClosed(double decisionsPerSecond, double lateShare) {
        BreakerSimulation run = new BreakerSimulation(decisionsPerSecond, seed)
                .late(1)
                .run(Duration.ofSeconds(20))
                .late(lateShare)
                .run(Duration.ofSeconds(10));
        assertThat(run.openings()).as("seed %s", seed).isEqualTo(1);
        assertThat(run.isInFallback()).as("seed %s", seed).isFalse();
    }

    @ParameterizedTest
    @ValueSource(doubles = {20, 1_000, 100_000})
    void storeStallsForHalfASecond_breakerStaysClosed(double decisionsPerSecond) {
        BreakerSimulation run = new BreakerSimulation(decisionsPerSecond, seed);
        for (int i = 0; i < 10; i++) {
            run.late(0).run(Duration.ofSeconds(3)).late(1).run(Duration.ofMillis(500));
        }
        assertThat(run.openings()).as("seed %s", seed).isZero();
    }
}
