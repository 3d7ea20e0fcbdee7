package dev.penstock.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class StageTimeoutsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final CompletableFuture<Integer> stage = new CompletableFuture<>();
    private final CompletableFuture<Integer> bounded = new StageTimeouts(clock).within(SECOND, stage);

    @Test
    void within_answerInTime_isTheAnswer() {
        stage.complete(7);
        clock.advance(SECOND);

        assertThat(bounded).isCompletedWithValue(7);
    }

    @Test
    void within_failureInTime_isTheFailure() {
        stage.completeExceptionally(new IllegalStateException("gone"));

        assertThat(bounded).failsWithin(Duration.ZERO).withThrowableThat().withMessageContaining("gone");
    }

    @Test
    void within_noAnswer_failsAndLeavesTheStageAlone() {
        clock.advance(SECOND.minusMillis(20));
        assertThat(bounded).isNotDone();

        clock.advance(SECOND);

        assertThat(bounded)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(TimeoutException.class)
                .withMessageContaining("no answer within 1s");
        assertThat(stage).isNotDone();
    }

    @Test
    void within_noThreadOfTheScheduler_failsAtOnce() {
        StageTimeouts broken = new StageTimeouts((delay, task) -> {
            throw new IllegalStateException("no thread");
        });

        assertThat(broken.within(SECOND, stage)).isCompletedExceptionally();
    }
}
