package dev.penstock.bench.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two threads that send requests as fast as possible, with a maximum number of unanswered ones. For contenders that
 * answer most requests at once on the caller's thread. Only one request in {@value #TIMED_EACH} is timed, because
 * reading the clock takes as long as such an answer.
 */
final class Threads implements RedisLoad {
    private static final int COUNT = 2;
    private static final int TIMED_EACH = 32;

    private final Decider decider;
    private final DecisionCounts tally;
    private final List<Asking> all = new ArrayList<>();
    private volatile boolean stopping;

    Threads(Decider decider, Supplier<Traffic> traffic, int mostInFlight, DecisionCounts tally) {
        this.decider = decider;
        this.tally = tally;
        for (int i = 0; i < COUNT; i++) {
            all.add(new Asking(traffic.get(), mostInFlight / COUNT));
        }
    }

    @Override
    public void start() {
        all.forEach(Thread::start);
    }

    @Override
    public void stop() {
        stopping = true;
        try {
            for (Asking each : all) {
                each.join();
                each.free.acquire(each.most);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** One of the threads, with its share of the requests in flight. */
    private final class Asking extends Thread {
        private final Traffic traffic;
        private final int most;
        private final Semaphore free;

        Asking(Traffic traffic, int most) {
            super("asking");
            this.traffic = traffic;
            this.most = most;
            this.free = new Semaphore(most);
        }

        @Override
        public void run() {
            int turn = 0;
            for (List<String> values = traffic.next(); values != null && !stopping; values = traffic.next()) {
                free.acquireUninterruptibly();
                long startNanos = turn++ % TIMED_EACH == 0 ? System.nanoTime() : 0;
                try {
                    decider.decide(values).whenComplete((answer, failure) -> answered(startNanos, answer, failure));
                } catch (RuntimeException e) {
                    answered(startNanos, null, e);
                }
            }
        }

        private void answered(long startNanos, @Nullable Boolean isAllowed, @Nullable Throwable failure) {
            if (startNanos == 0) {
                tally.count(isAllowed, failure);
            } else {
                tally.note(startNanos, isAllowed, failure);
            }
            free.release();
        }
    }
}
