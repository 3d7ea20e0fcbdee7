package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.spi.Ask;
import dev.penstock.spi.NotCharged;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends asks outside of batches to one shard, at most {@value #MOST_UNDER_WAY} at a time. The others wait in order. If
 * hundreds of scripts queued in Redis, all of them would be late, and Redis would look slow. An ask whose caller has
 * given up is not sent. Thread-safe.
 */
final class UnbatchedAsks {
    /** Redis runs this number of scripts in 64 ms, if each takes half a millisecond, which is long for a script. */
    static final int MOST_UNDER_WAY = 128;

    private final Clock clock;
    private final Queue<QueuedAsk<?>> waiting = new ArrayDeque<>();
    private final AtomicInteger turns = new AtomicInteger();
    private int underWay;

    UnbatchedAsks(Clock clock) {
        this.clock = clock;
    }

    private record QueuedAsk<T>(
            Ask ask, long sinceMicros, Supplier<CompletionStage<T>> sending, CompletableFuture<T> answer) {
        void fail(Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** Sends the ask now, or later if too many are in flight. */
    <T> CompletionStage<T> send(Ask ask, Supplier<CompletionStage<T>> sending) {
        synchronized (waiting) {
            if (underWay == MOST_UNDER_WAY) {
                QueuedAsk<T> later = new QueuedAsk<>(ask, clock.micros(), sending, new CompletableFuture<>());
                waiting.add(later);
                return later.answer;
            }
            underWay++;
        }
        return started(sending);
    }

    private <T> CompletionStage<T> started(Supplier<CompletionStage<T>> sending) {
        try {
            return sending.get().whenComplete((unused, failure) -> ended());
        } catch (Throwable e) {
            ended();
            throw e;
        }
    }

    private void ended() {
        synchronized (waiting) {
            underWay--;
        }
        sendWaiting();
    }

    /**
     * Sends waiting asks. Only one thread at a time does so, in a loop, because an ask that fails at once calls this
     * method again.
     */
    private void sendWaiting() {
        if (turns.getAndIncrement() > 0) {
            return;
        }
        do {
            for (QueuedAsk<?> next = next(); next != null; next = next()) {
                sendNow(next);
            }
        } while (turns.decrementAndGet() > 0);
    }

    private @Nullable QueuedAsk<?> next() {
        while (true) {
            QueuedAsk<?> next;
            synchronized (waiting) {
                next = underWay < MOST_UNDER_WAY ? waiting.poll() : null;
                boolean isSent = next != null && !next.ask.isOverdue(next.sinceMicros, clock.micros());
                underWay += isSent ? 1 : 0;
                if (next == null || isSent) {
                    return next;
                }
            }
            next.fail(NotCharged.overdue());
        }
    }

    private <T> void sendNow(QueuedAsk<T> next) {
        try {
            var unused = started(next.sending).whenComplete((value, failure) -> {
                if (failure == null) {
                    next.answer.complete(value);
                } else {
                    next.fail(failure);
                }
            });
        } catch (Throwable e) {
            next.fail(e);
        }
    }
}
