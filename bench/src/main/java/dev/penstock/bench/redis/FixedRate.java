package dev.penstock.bench.redis;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** Sends a fixed number of requests per second regardless of answers. If the thread is late, it catches up at once. */
final class FixedRate extends OneThread {
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final long PAUSE_NANOS = 100_000;

    private final Decider decider;
    private final Traffic traffic;
    private final long perSecond;
    private final DecisionCounts tally;
    private final AtomicLong underway = new AtomicLong();

    FixedRate(Decider decider, Traffic traffic, long perSecond, DecisionCounts tally) {
        super("fixed-rate");
        this.decider = decider;
        this.traffic = traffic;
        this.perSecond = perSecond;
        this.tally = tally;
    }

    @Override
    public void stop() {
        super.stop();
        while (underway.get() > 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    @Override
    protected void run() {
        long start = System.nanoTime();
        long asked = 0;
        while (!isStopping()) {
            long due = (System.nanoTime() - start) / 1_000 * perSecond / (NANOS_PER_SECOND / 1_000);
            for (; asked < due && !isStopping(); asked++) {
                ask(traffic.next());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void ask(@Nullable List<String> values) {
        if (values == null) {
            return;
        }
        underway.incrementAndGet();
        long startNanos = System.nanoTime();
        try {
            decider.decide(values).whenComplete((answer, failure) -> answered(startNanos, answer, failure));
        } catch (RuntimeException e) {
            answered(startNanos, null, e);
        }
    }

    private void answered(long startNanos, @Nullable Boolean isAllowed, @Nullable Throwable failure) {
        tally.note(startNanos, isAllowed, failure);
        underway.decrementAndGet();
    }
}
