package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ManualClockTest {
    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private final List<String> ran = new ArrayList<>();

    private Runnable note(String name) {
        return () -> ran.add(name + "@" + clock.micros());
    }

    @Test
    void set_goesBothWays() {
        clock.set(Instant.parse("2025-01-01T00:00:00.000001Z"));
        assertThat(clock.micros()).isEqualTo(1_735_689_600_000_001L);
        clock.advance(Duration.ofSeconds(-1));
        assertThat(clock.now()).isEqualTo(Instant.parse("2024-12-31T23:59:59.000001Z"));
        clock.setMicros(7);
        assertThat(clock.micros()).isEqualTo(7);
    }

    @Test
    void after_runsTasksInOrder_eachAtItsTime() {
        clock.after(Duration.ofNanos(20_000), note("late"));
        clock.after(Duration.ofNanos(10_000), note("early"));
        clock.after(Duration.ofNanos(10_000), note("early too"));
        clock.setMicros(9);
        assertThat(ran).isEmpty();
        clock.setMicros(30);
        assertThat(ran).containsExactly("early@10", "early too@10", "late@20");
        assertThat(clock.micros()).isEqualTo(30);
        assertThat(clock.waitingTasks()).isZero();
    }

    @Test
    void after_partsOfAMicrosecond_areRoundedUp() {
        clock.after(Duration.ofNanos(1), note("task"));
        clock.setMicros(0);
        assertThat(ran).isEmpty();
        clock.setMicros(1);
        assertThat(ran).containsExactly("task@1");
    }

    @Test
    void after_withoutDelay_runsWhenTheClockIsNextSet() {
        clock.after(Duration.ZERO, note("at once"));
        clock.after(Duration.ofSeconds(-1), note("overdue"));
        clock.advance(Duration.ZERO);
        assertThat(ran).containsExactly("at once@0", "overdue@0");
    }

    @Test
    void after_clockSetBack_isNotDelayed() {
        clock.setMicros(100);
        clock.after(Duration.ofNanos(10_000), note("task"));
        clock.setMicros(104);
        clock.setMicros(50);
        clock.setMicros(55);
        assertThat(ran).isEmpty();
        clock.setMicros(56);
        assertThat(ran).containsExactly("task@56");
    }

    @Test
    void elapsedMicros_isNeverSetBack() {
        clock.setMicros(100);
        clock.setMicros(50);
        assertThat(clock.elapsedMicros()).isEqualTo(100);
        clock.setMicros(60);
        assertThat(clock.elapsedMicros()).isEqualTo(110);
    }

    @Test
    void after_scheduledByATask_runsInTheSameCall() {
        clock.after(Duration.ofNanos(10_000), () -> clock.after(Duration.ofNanos(5_000), note("second")));
        clock.setMicros(15);
        assertThat(ran).containsExactly("second@15");
    }

    @Test
    void task_runsOutsideOfAnyLock() throws InterruptedException {
        CountDownLatch scheduledElsewhere = new CountDownLatch(1);
        clock.after(Duration.ofNanos(1_000), () -> {
            Thread other = new Thread(() -> {
                clock.after(Duration.ofDays(1), note("other"));
                scheduledElsewhere.countDown();
            });
            other.start();
            awaitQuietly(scheduledElsewhere);
        });
        clock.setMicros(1);
        assertThat(scheduledElsewhere.getCount()).isZero();
        assertThat(clock.waitingTasks()).isEqualTo(1);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
