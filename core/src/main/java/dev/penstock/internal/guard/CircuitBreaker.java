package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.engine.Guard.Breaker;
import dev.penstock.spi.Scheduler;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Decides whether the store is asked, based on the outcomes of the round trips to it.
 *
 * <p>The breaker opens if all of this holds for the last 1.4 seconds: there were at least {@value
 * BreakerThresholds#MIN_TRIPS} round trips, at least half of them were late or failed (averaged over tenths of a
 * second), and the first failure was at least 0.6 seconds ago. So one late batch or a short stall never opens it, and a
 * dead store does within a second.
 *
 * <p>While the breaker is open, only the {@link StoreProbe} asks the store. When {@value
 * BreakerThresholds#MIN_GOOD_PROBES} of the last {@value BreakerThresholds#PROBES} round trips were answered, decisions
 * return to the store: a quarter of them, then half, then all, so that a recovering store is not overrun. Decisions of
 * policies with local shares wait until all nodes have found the store, and return at the same moment. Failures during
 * the return are judged by the same rule. {@link BreakerThresholds} has the numbers.
 *
 * <p>Thread-safe. While the store is healthy, a decision reads one field. A clock that is set back ends a wait early,
 * never late.
 */
public final class CircuitBreaker {
    /** The permission of a decision to ask the store. */
    public enum Permission {
        /** Ask the store. */
        ASK,
        /** Do not ask the store. */
        REFUSED
    }

    /**
     * The moment at which a decision returns to the store: as soon as this node may ask, or together with all other
     * nodes.
     */
    public enum ReturnMode {
        ALONE,
        TOGETHER
    }

    /** Receives the events of a breaker, one at a time, in the order in which they happened. */
    public interface BreakerListener {
        /** Called when a round trip failed or was late. The store must be probed until its health is clear. */
        void doubted();

        /** Called when an outage begins: the closed breaker opens. */
        void opened(long nowMicros);

        /** Called when the store answers again. */
        void found();

        /** Called when all decisions ask the store again. */
        void closed(long nowMicros);
    }

    /** A time to wait from a given moment. It also ends if the clock is set back before that moment. */
    private record Pause(long sinceMicros, long lengthMicros) {
        boolean isOver(long nowMicros) {
            long elapsed = nowMicros - sinceMicros;
            return elapsed >= lengthMicros || elapsed < 0;
        }
    }

    private static final long NEVER = Long.MIN_VALUE;

    private final Clock clock;
    private final Scheduler scheduler;
    private final BreakerListener watcher;
    private final LongSupplier gatherMicros;
    private final TripWindow window = new TripWindow();
    private final AtomicInteger turn = new AtomicInteger();

    /** Events for the watcher, in the order in which they happened. */
    private final Queue<Runnable> reports = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean isReporting = new AtomicBoolean();

    private volatile Breaker state = Breaker.CLOSED;
    /** Measured by the scheduler. */
    private volatile long lastFailureMicros = NEVER;

    private volatile long foundMicros;
    private volatile Pause joiningPause = new Pause(0, 0);

    /** One bit per recent round trip while the breaker is open, the newest lowest, and set if the store answered. */
    private int probes;

    /** @param gatherMicros how long to wait for the other nodes before returning; 0 if there are no others */
    public CircuitBreaker(Clock clock, Scheduler scheduler, BreakerListener watcher, LongSupplier gatherMicros) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.watcher = watcher;
        this.gatherMicros = gatherMicros;
    }

    /** Returns whether a decision may ask the store. */
    public Permission enter(ReturnMode company) {
        Breaker now = state;
        if (now == Breaker.CLOSED) {
            return Permission.ASK;
        }
        return now == Breaker.RETURNING && mayReturn(company) ? Permission.ASK : Permission.REFUSED;
    }

    private boolean mayReturn(ReturnMode company) {
        long now = clock.micros();
        if (company == ReturnMode.TOGETHER && !joiningPause.isOver(now)) {
            return false;
        }
        return Math.floorMod(turn.getAndIncrement(), returningOneIn(now)) == 0;
    }

    private int returningOneIn(long now) {
        long elapsed = now - foundMicros;
        if (elapsed < 0 || elapsed >= 2 * BreakerThresholds.RETURN_STEP_MICROS) {
            return 1;
        }
        return elapsed < BreakerThresholds.RETURN_STEP_MICROS
                ? BreakerThresholds.FIRST_RETURNING_ONE_IN
                : BreakerThresholds.THEN_RETURNING_ONE_IN;
    }

    /** Records a round trip that was answered in time. */
    public void answered() {
        long now = clock.micros();
        synchronized (this) {
            window.addAnswered(now);
            if (state == Breaker.OPEN && wasFound(now)) {
                reports.add(watcher::found);
            }
        }
        report();
    }

    private boolean wasFound(long now) {
        noteProbe(1);
        if (Integer.bitCount(probes) < BreakerThresholds.MIN_GOOD_PROBES) {
            return false;
        }
        window.clear();
        joiningPause = new Pause(now, gatherMicros.getAsLong());
        foundMicros = now;
        turn.set(0);
        state = Breaker.RETURNING;
        return true;
    }

    /** Records a round trip that failed or was not answered in time. */
    public void failed() {
        long now = clock.micros();
        synchronized (this) {
            lastFailureMicros = scheduler.elapsedMicros();
            window.addFailed(now);
            if (state == Breaker.OPEN) {
                noteProbe(0);
            } else if (isTooMuch(now)) {
                if (state == Breaker.CLOSED) {
                    reports.add(() -> watcher.opened(now));
                }
                probes = 0;
                state = Breaker.OPEN;
            }
        }
        report();
        watcher.doubted();
    }

    private boolean isTooMuch(long now) {
        return window.trips(now) >= BreakerThresholds.MIN_TRIPS
                && window.failedShare(now) >= BreakerThresholds.MIN_FAILED_SHARE
                && window.sinceFirstFailureMicros(now) >= BreakerThresholds.MIN_FAILING_MICROS;
    }

    private void noteProbe(int answered) {
        probes = (probes << 1 | answered) & ((1 << BreakerThresholds.PROBES) - 1);
    }

    /**
     * Continues the return if it is time. Must be called repeatedly while it returns true, even without decisions,
     * because a node without traffic must also notice that the store is back.
     *
     * @return whether the health of the store is in doubt
     */
    public boolean watch() {
        long now = clock.micros();
        boolean isInDoubt;
        synchronized (this) {
            if (state == Breaker.RETURNING && returningOneIn(now) == 1 && joiningPause.isOver(now)) {
                state = Breaker.CLOSED;
                reports.add(() -> watcher.closed(now));
            }
            isInDoubt = state != Breaker.CLOSED || window.failures(now) > 0;
        }
        report();
        return isInDoubt;
    }

    /**
     * Reports the queued events, outside the lock. If another thread is already reporting, that thread reports these
     * events too. Otherwise events could be reported out of order, and an outage that began just after a return would
     * be reported as over until it ends.
     */
    private void report() {
        while (!reports.isEmpty() && isReporting.compareAndSet(false, true)) {
            try {
                for (Runnable event = reports.poll(); event != null; event = reports.poll()) {
                    event.run();
                }
            } finally {
                isReporting.set(false);
            }
        }
    }

    /**
     * Sets the start of the wait for other nodes to the time at which the first node found the store. Returns the
     * remaining wait.
     *
     * @param agoMicros how long ago that was
     */
    public synchronized long gatherSince(long agoMicros) {
        joiningPause = new Pause(clock.micros(), Math.max(0, gatherMicros.getAsLong() - agoMicros));
        return joiningPause.lengthMicros;
    }

    /**
     * Returns whether a round trip failed or was late at or after this {@linkplain Scheduler#elapsedMicros elapsed
     * time}.
     */
    public boolean hasFailedSince(long elapsedMicros) {
        return lastFailureMicros >= elapsedMicros;
    }

    public Breaker state() {
        return state;
    }

    /** Returns whether every decision may ask the store. */
    public boolean isClosed() {
        return state == Breaker.CLOSED;
    }

    /** Returns whether the breaker is open, so that only the probe asks the store. */
    public boolean isOpen() {
        return state == Breaker.OPEN;
    }

    /** Returns whether the breaker is open and the store answered none of the last probes. */
    synchronized boolean isSilent() {
        return state == Breaker.OPEN && probes == 0;
    }

    /**
     * Returns whether the wait for other nodes is over, so that spending by local shares can be posted to the store.
     */
    boolean isGathered() {
        Breaker now = state;
        return now == Breaker.CLOSED || (now == Breaker.RETURNING && joiningPause.isOver(clock.micros()));
    }
}
