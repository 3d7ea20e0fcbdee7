package dev.penstock.bench.redis;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of callers. Each one sends its next request as soon as it has an answer, on the thread that received
 * the answer.
 *
 * <p>No thread is woken for an answer. Waking one would cost more than most contenders do, and the same for all.
 */
final class Lanes implements RedisLoad {
    private static final long PATIENCE_SECONDS = 30;

    private final Decider decider;
    private final Function<List<String>, CompletionStage<Boolean>> ask;
    private final Supplier<Traffic> traffic;
    private final int count;
    private final DecisionCounts tally;
    private final CountDownLatch ended;
    private volatile boolean stopping;

    private Lanes(
            Decider decider,
            Function<List<String>, CompletionStage<Boolean>> ask,
            Supplier<Traffic> traffic,
            int count,
            DecisionCounts tally) {
        this.decider = decider;
        this.ask = ask;
        this.traffic = traffic;
        this.count = count;
        this.tally = tally;
        this.ended = new CountDownLatch(count);
    }

    static Lanes of(Decider decider, Supplier<Traffic> traffic, int count, DecisionCounts tally) {
        return new Lanes(decider, decider::decide, traffic, count, tally);
    }

    /** Creates callers that send the first request of every user. */
    static Lanes ofFirstRequests(Decider decider, Supplier<Traffic> traffic, int count, DecisionCounts tally) {
        return new Lanes(decider, decider::decideFirst, traffic, count, tally);
    }

    @Override
    public void start() {
        for (int i = 0; i < count; i++) {
            new Lane(traffic.get()).run();
        }
    }

    @Override
    public void stop() {
        stopping = true;
        awaitEnd();
    }

    /** Waits until all traffic is answered. */
    void awaitEnd() {
        try {
            for (int i = 0; i < PATIENCE_SECONDS * 10; i++) {
                decider.flush();
                if (ended.await(100, TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        throw new IllegalStateException(ended.getCount() + " of " + count + " callers not answered in "
                + PATIENCE_SECONDS + " s (expected: all)");
    }

    /** One caller. An answer that is available at once is handled in the loop, so that the stack does not grow. */
    private final class Lane {
        private enum State {
            ASKING,
            ANSWERED,
            WAITING
        }

        private final Traffic requests;
        private final AtomicReference<State> state = new AtomicReference<>(State.WAITING);
        private long startNanos;

        Lane(Traffic requests) {
            this.requests = requests;
        }

        void run() {
            do {
                List<String> values = stopping ? null : requests.next();
                if (values == null) {
                    ended.countDown();
                    return;
                }
                state.set(State.ASKING);
                startNanos = System.nanoTime();
                ask(values);
            } while (!state.compareAndSet(State.ASKING, State.WAITING));
        }

        private void ask(List<String> values) {
            CompletionStage<Boolean> answer;
            try {
                answer = ask.apply(values);
            } catch (RuntimeException e) {
                answered(null, e);
                return;
            }
            answer.whenComplete(this::answered);
        }

        private void answered(@Nullable Boolean isAllowed, @Nullable Throwable failure) {
            tally.note(startNanos, isAllowed, failure);
            if (!state.compareAndSet(State.ASKING, State.ANSWERED)) {
                run();
            }
        }
    }
}
