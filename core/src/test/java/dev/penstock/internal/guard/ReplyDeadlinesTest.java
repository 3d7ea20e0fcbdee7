package dev.penstock.internal.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReplyDeadlinesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final ReplyDeadlines deadlines = new ReplyDeadlines(clock, clock);
    private final List<Long> waitedMicros = new ArrayList<>();

    private void await(Duration atMost) {
        long since = clock.micros();
        Reply<String> silent = Reply.later(new CompletableFuture<>());
        deadlines.await(silent, atMost, new AwaitedReply<>() {
            @Override
            protected void inTime(String answer) {
                throw new AssertionError("nobody answered");
            }

            @Override
            protected void failed(@Nullable Throwable failure) {
                waitedMicros.add(clock.micros() - since);
            }
        });
    }

    @Test
    void await_manyForASecond_setsFewTimers() {
        for (int i = 0; i < 10_000; i++) {
            await(SECOND);
            clock.advance(Duration.ofNanos(99_000));
        }
        assertThat(clock.waitingTasks()).isBetween(60, 65);
    }

    @Test
    void await_nobodyAnswers_isEndedAtMostALittleEarlyAndNeverLate() {
        for (int i = 0; i < 1_000; i++) {
            await(SECOND);
            clock.advance(Duration.ofNanos(999_000));
        }
        clock.advance(SECOND);
        assertThat(waitedMicros)
                .hasSize(1_000)
                .allSatisfy(waited -> assertThat(waited).isBetween(1_000_000L - 1_000_000 / 64, 1_000_000L));
    }

    @Test
    void await_shortWaits_areEndedWithinAMillisecond() {
        for (int i = 0; i < 100; i++) {
            await(Duration.ofMillis(10));
            clock.advance(Duration.ofNanos(100_000));
        }
        clock.advance(Duration.ofMillis(10));
        assertThat(waitedMicros)
                .hasSize(100)
                .allSatisfy(waited -> assertThat(waited).isBetween(9_000L, 10_000L));
    }
}
