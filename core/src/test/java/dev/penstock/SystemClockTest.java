package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SystemClockTest {
    private final AtomicLong wallMillis = new AtomicLong(1_000_000);
    private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
    private final SystemClock clock = new SystemClock(wallMillis::get, nanos::get);

    @Test
    void micros_movesWithTheMonotonicTimer() {
        nanos.addAndGet(1_500_000);
        assertThat(clock.micros()).isEqualTo(1_000_001_500);
    }

    @Test
    void micros_wallClockGrainAndSlewing_areNotFollowed() {
        pass(1_200, 1_210);
        assertThat(clock.micros()).isEqualTo(1_001_200_000);
        pass(1_200, 1_190);
        assertThat(clock.micros()).isEqualTo(1_002_400_000);
    }

    @Test
    void micros_wallClockSet_isFollowedInBothDirections() {
        pass(1_200, 3_600_000);
        assertThat(clock.micros()).isEqualTo(4_600_000_000L);
        pass(1_200, -7_200_000);
        assertThat(clock.micros()).isEqualTo(-2_600_000_000L);
    }

    private void pass(long monotonicMillis, long wall) {
        nanos.addAndGet(monotonicMillis * 1_000_000);
        wallMillis.addAndGet(wall);
    }
}
