package dev.penstock.bench.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Two threads that ask as fast as they can, while no more than so many have not been answered: for contenders that answer
 * most of it at once, on the caller's own thread.
 */
final class Threads implements Load {
    private static final int COUNT = 2;

    private final Decider decider;
    private final Tally tally;
    private final int mostInFlight;
    private final Semaphore free;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;

    Threads(Decider decider, Supplier<Traffic> traffic, int mostInFlight, Tally tally) {
        this.decider = decider;
        this.tally = tally;
        this.mostInFlight = mostInFlight;
        this.free = new Semaphore(mostInFlight);
        for (int i = 0; i < COUNT; i++) {
            Traffic own = traffic.get();
            threads.add(new Thread(() -> run(own), "asking-" + i));
        }
    }

    @Override
    public void start() {
        threads.forEach(Thread::start);
    }

    @Override
    public void stop() {
        stopping = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
            free.acquire(mostInFlight);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void run(Traffic traffic) {
        for (List<String> values = traffic.next(); values != null && !stopping; values = traffic.next()) {
            free.acquireUninterruptibly();
            long startNanos = System.nanoTime();
            try {
                decider.decide(values).whenComplete((answer, failure) -> answered(startNanos, answer, failure));
            } catch (RuntimeException e) {
                answered(startNanos, null, e);
            }
        }
    }

    private void answered(long startNanos, @Nullable Boolean isAllowed, @Nullable Throwable failure) {
        tally.note(startNanos, isAllowed, failure);
        free.release();
    }
}
