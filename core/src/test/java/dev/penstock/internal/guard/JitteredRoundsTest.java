package dev.penstock.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class JitteredRoundsTest {
    private final Deque<Runnable> timer = new ArrayDeque<>();
    private final List<Duration> delays = new ArrayList<>();
    private long next = JitteredRounds.DONE;
    private Runnable meanwhile = () -> {};
    private int rounds;

    private final JitteredRounds subject = new JitteredRounds(
            (delay, task) -> {
                delays.add(delay);
                timer.add(task);
            },
            new Random(1),
            () -> {
                rounds++;
                Runnable once = meanwhile;
                meanwhile = () -> {};
                once.run();
                return next;
            });

    private void runRounds(int atMost) {
        for (int i = 0; i < atMost && !timer.isEmpty(); i++) {
            timer.remove().run();
        }
    }

    @Test
    void begin_repeatsUntilNothingIsLeft() {
        next = 1_000;
        subject.begin(5_000_000);
        assertThat(delays.get(0)).isBetween(Duration.ofMillis(5_050), Duration.ofMillis(5_150));
        runRounds(10);
        assertThat(rounds).isEqualTo(10);
        next = JitteredRounds.DONE;
        runRounds(10);
        assertThat(rounds).isEqualTo(11);
        assertThat(timer).isEmpty();
    }

    @Test
    void round_failsWithAnError_isRetried() {
        meanwhile = () -> {
            throw new OutOfMemoryError("for a moment");
        };
        next = JitteredRounds.DONE;
        subject.begin(0);
        runRounds(1);
        assertThat(timer).hasSize(1);
        runRounds(1);
        assertThat(rounds).isEqualTo(2);
    }

    @Test
    void begin_alreadyRunning_startsNoSecondRound() {
        subject.begin(0);
        subject.begin(0);
        assertThat(timer).hasSize(1);
    }

    @Test
    void begin_duringTheLastRound_isNotLost() {
        meanwhile = () -> subject.begin(0);
        subject.begin(0);
        runRounds(10);
        assertThat(rounds).isEqualTo(2);
        subject.begin(0);
        runRounds(10);
        assertThat(rounds).isEqualTo(3);
    }

    @Test
    void round_fails_isRetried() {
        meanwhile = () -> {
            throw new IllegalStateException("the work's own");
        };
        subject.begin(0);
        runRounds(10);
        assertThat(rounds).isEqualTo(2);
    }

    @Test
    void stop_endsTheRounds() {
        subject.begin(0);
        subject.stop();
        runRounds(10);
        assertThat(rounds).isZero();
        assertThat(timer).isEmpty();
    }
}
