package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LoopClockTest {
    private static final long TICK = TimeUnit.MILLISECONDS.toNanos(5);

    private final LoopClock clock = new LoopClock(() -> 2 * TICK);

    @Test
    void nanos_loopIsOnTime_matchRealTime() {
        clock.resume(1_000);
        for (int i = 1; i <= 100; i++) {
            assertThat(clock.tick(1_000 + i * TICK)).isTrue();
        }
        assertThat(clock.nanos(1_000 + 100 * TICK + 7)).isEqualTo(100 * TICK + 7);
    }

    @Test
    void nanos_loopIsDelayed_doNotAdvance() {
        clock.resume(0);
        clock.tick(TICK);
        assertThat(clock.nanos(1_000 * TICK)).isEqualTo(3 * TICK);
        assertThat(clock.tick(1_000 * TICK)).isFalse();
        assertThat(clock.nanos(1_000 * TICK)).isEqualTo(3 * TICK);
        assertThat(clock.tick(1_001 * TICK)).isTrue();
        assertThat(clock.nanos(1_001 * TICK)).isEqualTo(4 * TICK);
    }

    @Test
    void resume_afterATimeWithoutTicks_doesNotCountIt() {
        clock.resume(0);
        clock.tick(TICK);
        clock.resume(1_000 * TICK);
        assertThat(clock.nanos(1_000 * TICK)).isEqualTo(TICK);
    }
}
