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
 * Sends asks to one shard that travel in no batch, {@value #MOST_UNDER_WAY} at a time; the others wait in order. Hundreds of scripts that queue
 * in Redis would all be late there, and look like a Redis that is slow. An ask whose caller has given it up is not sent.
 * Thread-safe.
 */
final class UnbatchedAsks {
    /** At half a millisecond each, which is much for a script, Redis has done so many in 64 ms. */
    static final int MOST_UNDER_WAY = 128;

    private final Clock clock;
    private final Queue<Waiting<?>> waiting = new ArrayDeque<>();
    private final AtomicInteger turns = new AtomicInteger();
    private int underWay;

    UnbatchedAsks(Clock clock) {
        this.clock = clock;
    }

    private record Waiting<T>(
            Ask ask, long sinceMicros, Supplier<CompletionStage<T>> sending, CompletableFuture<T> answer) {
        void fail(Throwable failure) {
            answer.completeExceptionally(failure);
        }
    }

    /** Sends now or later. */
    <T> CompletionStage<T> send(Ask ask, Supplier<CompletionStage<T>> sending) {
        synchronized (waiting) {
            if (underWay == MOST_UNDER_WAY) {
                Waiting<T> later = new Waiting<>(ask, clock.micros(), sending, new CompletableFuture<>());
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

    /** One thread at a time sends, in a loop: a sending that fails at once ends here again. */
    private void sendWaiting() {
        if (turns.getAndIncrement() > 0) {
            return;
        }
        do {
            for (Waiting<?> next = next(); next != null; next = next()) {
                sendNow(next);
            }
        } while (turns.decrementAndGet() > 0);
    }

    private @Nullable Waiting<?> next() {
        while (true) {
            Waiting<?> next;
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

    private <T> void sendNow(Waiting<T> next) {
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
