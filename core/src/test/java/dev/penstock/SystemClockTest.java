package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SystemClockTest {
    private final AtomicLong wallMillis = new AtomicLong(1_000_000);
    private final AtomicLong nanos = new AtomicLong(-5_000_000_000L);
    private final SystemClock clock = new TurnedClock();

    @Test
    void micros_movesWithTheMonotonicTimer() {
        nanos.addAndGet(1_500_000);
        assertThat(clock.micros()).isEqualTo(1_000_001_500);
    }

    @Test
    void micros_wallClockGranularityAndSlewing_areIgnored() {
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

    @Test
    void micros_threadDelayedBetweenTheTwoClocks_isNotAStep() {
        AtomicLong pauseNanos = new AtomicLong();
        SystemClock paused = new TurnedClock() {
            @Override
            long wallMillis() {
                long read = super.wallMillis();
                nanos.addAndGet(pauseNanos.getAndSet(0));
                return read;
            }
        };
        pass(1_200, 1_200);
        pauseNanos.set(200_000_000);
        long before = paused.micros();
        wallMillis.addAndGet(200);
        assertThat(before).isEqualTo(1_001_200_000);
        assertThat(paused.micros()).isEqualTo(1_001_400_000);
    }

    @Test
    void micros_overManyAnchors_losesNoMicrosecond() {
        long last = clock.micros();
        for (int i = 0; i < 1_000; i++) {
            nanos.addAndGet(1_100_000_777L);
            wallMillis.addAndGet(1_100);
            long now = clock.micros();
            assertThat(now).isGreaterThan(last);
            last = now;
        }
        assertThat(last).isEqualTo(1_000_000_000 + 1_100_000_777L);
    }

    /** A clock whose two sources are set by the test. */
    private class TurnedClock extends SystemClock {
        TurnedClock() {
            super(wallMillis.get(), nanos.get());
        }

        @Override
        long wallMillis() {
            return wallMillis.get();
        }

        @Override
        long monotonicNanos() {
            return nanos.get();
        }
    }

    private void pass(long monotonicMillis, long wall) {
        nanos.addAndGet(monotonicMillis * 1_000_000);
        wallMillis.addAndGet(wall);
    }
}
