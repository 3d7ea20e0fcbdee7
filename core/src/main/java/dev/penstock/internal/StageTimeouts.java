package dev.penstock.internal;

import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Bounds waits for stages that may never complete. {@link CompletableFuture#orTimeout} would end all waits of the JVM
 * on one thread of the JDK, so code that blocks there would stop the others.
 *
 * <p>Thread-safe.
 */
public final class StageTimeouts {
    /** Uses the scheduler of this process. */
    public static final StageTimeouts SYSTEM = new StageTimeouts(Scheduler.system());

    private final ReplyDeadlines deadlines;

    public StageTimeouts(Scheduler scheduler) {
        this.deadlines = new ReplyDeadlines(scheduler);
    }

    /**
     * Returns a future with the outcome of the stage, which must not be null. If there is none in time, the future
     * fails with a {@link TimeoutException}. The stage itself is left alone.
     */
    public <T> CompletableFuture<T> within(Duration atMost, CompletionStage<T> stage) {
        Bounded<T> bounded = new Bounded<>(atMost);
        deadlines.await(Reply.later(stage), atMost, bounded);
        return bounded.outcome;
    }

    private static final class Bounded<T> extends AwaitedReply<T> {
        private final Duration atMost;
        private final CompletableFuture<T> outcome = new CompletableFuture<>();

        Bounded(Duration atMost) {
            this.atMost = atMost;
        }

        @Override
        protected void inTime(T answer) {
            outcome.complete(answer);
        }

        @Override
        protected void failed(@Nullable Throwable failure) {
            outcome.completeExceptionally(
                    failure != null ? failure : new TimeoutException("no answer within " + Durations.text(atMost)));
        }
    }
}
