package dev.penstock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class RetryAfterSecondsTest {
    @Test
    void ofRetry_anyFraction_isRoundedUp() {
        assertThat(RetryAfterSeconds.ofRetry(Duration.ofNanos(1))).isEqualTo(1);
        assertThat(RetryAfterSeconds.ofRetry(Duration.ofSeconds(1))).isEqualTo(1);
        assertThat(RetryAfterSeconds.ofRetry(Duration.ofMillis(1_001))).isEqualTo(2);
    }

    @Test
    void ofRetry_noWait_isOneSecond() {
        assertThat(RetryAfterSeconds.ofRetry(Duration.ZERO)).isEqualTo(1);
    }

    @Test
    void ofRetry_never_isTheLargestInt() {
        assertThat(RetryAfterSeconds.ofRetry(null)).isEqualTo(RetryAfterSeconds.NEVER);
    }

    @Test
    void roundedUp_zero_staysZero() {
        assertThat(RetryAfterSeconds.roundedUp(Duration.ZERO)).isZero();
        assertThat(RetryAfterSeconds.roundedUp(Instant.ofEpochSecond(5, 1))).isEqualTo(6);
    }
}
