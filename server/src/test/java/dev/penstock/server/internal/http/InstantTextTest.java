package dev.penstock.server.internal.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class InstantTextTest {
    private final InstantText text = new InstantText();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "1970-01-01T00:00:00.000001Z",
                "1969-12-31T23:59:59.999999Z",
                "2026-11-16T00:05:22Z",
                "2026-11-16T00:05:22.5Z",
                "2026-11-16T00:05:22.100001Z",
                "2026-11-16T00:05:22.000010Z",
                "2026-11-16T00:05:22.123456789Z",
                "+12345-01-01T00:00:00.000001Z"
            })
    void of_isTheTextOfTheInstant(String written) {
        Instant moment = Instant.parse(written);

        assertThat(text.of(moment)).isEqualTo(moment.toString());
    }

    @Test
    void anyMicrosecond_inAnyOrder() {
        Random random = new Random(7);
        for (int i = 0; i < 20_000; i++) {
            Instant moment = Instant.ofEpochSecond(random.nextInt(3), random.nextInt(1_000_000) * 1_000L);

            assertThat(text.of(moment)).isEqualTo(moment.toString());
        }
    }
}
