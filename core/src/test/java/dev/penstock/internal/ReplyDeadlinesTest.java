package dev.penstock.internal;

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
    private final ReplyDeadlines deadlines = new ReplyDeadlines(clock);
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
    void await_noAnswer_endsAtMostALittleEarlyAndNeverLate() {
        for (int i = 0; i < 1_000; i++) {
            await(SECOND);
            clock.advance(Duration.ofNanos(999_000));
        }
        clock.advance(SECOND);
        assertThat(waitedMicros)
                .hasSize(1_000)
                .allSatisfy(waited -> assertThat(waited).isBetween(1_000_000L - 1_000_000 / 64, 1_000_000L));
    }

    /** Records that its wait was ended. */
    private final class Noting extends AwaitedReply<String> {
        @Override
        protected void inTime(String answer) {
            throw new AssertionError("nobody answered");
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            ended++;
        }
    }

    private int ended;

    @Test
    void await_moreThrows_allOfTheSlotAreEnded() {
        deadlines.await(Reply.later(new CompletableFuture<>()), SECOND, new AwaitedReply<String>() {
            @Override
            protected @Nullable Duration more() {
                throw new IllegalStateException("no more");
            }

            @Override
            protected void inTime(String answer) {}

            @Override
            protected void failed(@Nullable Throwable failure) {
                ended++;
            }
        });
        deadlines.await(Reply.later(new CompletableFuture<>()), SECOND, new Noting());
        clock.advance(SECOND);
        assertThat(ended).isEqualTo(2);
    }

    @Test
    void await_schedulerFailsAtTheEnd_allAreEnded() {
        ReplyDeadlines failing = new ReplyDeadlines((delay, task) -> {
            if (delay.isZero()) {
                throw new IllegalStateException("shut down");
            }
            clock.after(delay, task);
        });
        for (int i = 0; i < 3; i++) {
            failing.await(Reply.later(new CompletableFuture<>()), Duration.ofDays(1), new Noting());
        }
        clock.advance(Duration.ofDays(1));
        assertThat(ended).isEqualTo(3);
    }

    @Test
    void await_schedulerFailsOnce_theNextReplyStillHasATimer() {
        boolean[] fails = {true};
        ReplyDeadlines failing = new ReplyDeadlines((delay, task) -> {
            if (fails[0]) {
                throw new IllegalStateException("not yet");
            }
            clock.after(delay, task);
        });
        Reply<String> silent = Reply.later(new CompletableFuture<>());
        failing.await(silent, Duration.ofDays(1), new Noting());
        assertThat(ended).as("at once").isEqualTo(1);
        fails[0] = false;
        failing.await(silent, Duration.ofDays(1), new Noting());
        clock.advance(Duration.ofDays(1));
        assertThat(ended).isEqualTo(2);
    }

    @Test
    void accept_inTimeThrows_callsBroken() {
        List<Throwable> told = new ArrayList<>();
        CompletableFuture<String> reply = new CompletableFuture<>();
        deadlines.await(Reply.later(reply), SECOND, new AwaitedReply<>() {
            @Override
            protected void inTime(String answer) {
                throw new IllegalStateException(answer);
            }

            @Override
            protected void failed(@Nullable Throwable failure) {
                ended++;
            }

            @Override
            protected void broken(Throwable failure) {
                told.add(failure);
            }
        });
        reply.complete("answer");
        clock.advance(SECOND);
        assertThat(told).singleElement().isInstanceOf(IllegalStateException.class);
        assertThat(ended).isZero();
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
