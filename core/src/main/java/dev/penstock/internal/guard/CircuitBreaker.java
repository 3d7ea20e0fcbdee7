package dev.penstock.internal.guard;

import dev.penstock.Clock;
import dev.penstock.engine.Guard.Breaker;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

/**
 * Decides whether the store is asked, by how the trips to it went.
 *
 * <p>It counts in time, not in calls: it opens when at least half of the trips of the last 1.4 seconds were late or failed (in
 * the mean of its tenths of a second), there were at least {@value #MIN_TRIPS} of them, and the failures span 0.6 seconds. So one late batch or
 * a short stall never opens it, and a dead store does within a second. While open, nobody asks the store but the
 * {@link StoreProbe}. When {@value #MIN_GOOD_PROBES} of the last {@value #PROBES} trips were answered, decisions return to
 * the store: a quarter of them, then half, then all, so that a store that recovers meets no herd. Decisions that shares
 * stand in for wait until all nodes have gathered; they return at one moment. On the way back failures are judged by the
 * same rule. {@code docs/adr/0013-steady.md} has the simulations that these numbers come from.
 *
 * <p>Thread-safe. While the store is healthy, a decision reads one field. A clock that is set back ends a wait early, never
 * late.
 */
public final class CircuitBreaker {
    /** What a decision may do. */
    public enum Passage {
        /** Ask the store. */
        ASK,
        /** Leave the store alone. */
        REFUSED
    }

    /** Whether a decision returns to the store together with those of all other nodes, or on its own. */
    public enum Company {
        ALONE,
        TOGETHER
    }

    /** Learns what becomes of the store: one event at a time, in the order in which they happened. */
    public interface Watcher {
        /** A trip failed or was late: the store has to be probed until it is clear how it is doing. */
        void doubted();

        /** The store is given up. */
        void opened(long nowMicros);

        /** The store answers again. */
        void found();

        /** All decisions ask the store again. */
        void closed(long nowMicros);
    }

    /** A time to wait from a moment on; over as well when the clock was set back before that moment. */
    private record Pause(long sinceMicros, long lengthMicros) {
        boolean isOver(long nowMicros) {
            long elapsed = nowMicros - sinceMicros;
            return elapsed >= lengthMicros || elapsed < 0;
        }
    }

    static final int MIN_TRIPS = 6;
    static final double MAX_FAILED_SHARE = 0.5;
    static final long MIN_SPAN_MICROS = 600_000;
    static final int PROBES = 16;
    static final int MIN_GOOD_PROBES = 10;

    /** How long a quarter of the decisions returns, and then half of them. */
    static final long STEP_MICROS = 250_000;

    private static final long RETRY_MICROS = 1_000_000;
    private static final long NEVER = Long.MIN_VALUE;

    private final Clock clock;
    private final Watcher watcher;
    private final LongSupplier gatherMicros;
    private final TripWindow window = new TripWindow();
    private final AtomicInteger turn = new AtomicInteger();

    /** Events for the watcher, in the order in which they happened. */
    private final Queue<Runnable> reports = new ConcurrentLinkedQueue<>();

    private final AtomicBoolean isReporting = new AtomicBoolean();

    private volatile Breaker state = Breaker.CLOSED;
    private volatile long lastFailureMicros = NEVER;
    private volatile long foundMicros;
    private volatile Pause gathering = new Pause(0, 0);

    /** The last trips while open, a bit each, the newest lowest; set where the store answered. */
    private int probes;

    /** @param gatherMicros how long to wait for the other nodes before returning; 0 if there are none to wait for */
    public CircuitBreaker(Clock clock, Watcher watcher, LongSupplier gatherMicros) {
        this.clock = clock;
        this.watcher = watcher;
        this.gatherMicros = gatherMicros;
    }

    /** Whether a decision may ask the store. */
    public Passage enter(Company company) {
        Breaker now = state;
        if (now == Breaker.CLOSED) {
            return Passage.ASK;
        }
        return now == Breaker.RETURNING && mayReturn(company) ? Passage.ASK : Passage.REFUSED;
    }

    private boolean mayReturn(Company company) {
        long now = clock.micros();
        if (company == Company.TOGETHER && !gathering.isOver(now)) {
            return false;
        }
        return Math.floorMod(turn.getAndIncrement(), returningOneIn(now)) == 0;
    }

    private int returningOneIn(long now) {
        long elapsed = now - foundMicros;
        return elapsed < 0 || elapsed >= 2 * STEP_MICROS ? 1 : elapsed >= STEP_MICROS ? 2 : 4;
    }

    /** A trip was answered in time. */
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
        if (Integer.bitCount(probes) < MIN_GOOD_PROBES) {
            return false;
        }
        window.clear();
        gathering = new Pause(now, gatherMicros.getAsLong());
        foundMicros = now;
        turn.set(0);
        state = Breaker.RETURNING;
        return true;
    }

    /** A trip failed, or was not answered in time. */
    public void failed() {
        long now = clock.micros();
        synchronized (this) {
            lastFailureMicros = now;
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
        return window.trips(now) >= MIN_TRIPS
                && window.failedShare(now) >= MAX_FAILED_SHARE
                && window.sinceFirstFailureMicros(now) >= MIN_SPAN_MICROS;
    }

    private void noteProbe(int answered) {
        probes = (probes << 1 | answered) & ((1 << PROBES) - 1);
    }

    /**
     * Goes on with the return if it is time to. To be called again and again while it returns true, also when there are no
     * decisions: a node without traffic must find out by itself that the store is back.
     *
     * @return whether there is still doubt about the store
     */
    public boolean watch() {
        long now = clock.micros();
        boolean isInDoubt;
        synchronized (this) {
            if (state == Breaker.RETURNING && returningOneIn(now) == 1 && gathering.isOver(now)) {
                state = Breaker.CLOSED;
                reports.add(() -> watcher.closed(now));
            }
            isInDoubt = state != Breaker.CLOSED || window.failures(now) > 0;
        }
        report();
        return isInDoubt;
    }

    /**
     * Reports the queued events, outside of the lock. A thread that finds another one reporting leaves its events to that one:
     * out of order, a store that is given up just as it came back would be reported as back for as long as it is away.
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

    /** The first of all nodes found the store that long ago. Returns how long to wait for the others from now on. */
    public synchronized long gatherSince(long agoMicros) {
        gathering = new Pause(clock.micros(), Math.max(0, gatherMicros.getAsLong() - agoMicros));
        return gathering.lengthMicros;
    }

    /** Whether a trip failed or was late at that time or after it. */
    public boolean hasFailedSince(long micros) {
        long last = lastFailureMicros;
        return last >= micros && last <= clock.micros(); // later than now: the clock was set back since
    }

    public Breaker state() {
        return state;
    }

    /** Whether every decision may ask the store. */
    public boolean isClosed() {
        return state == Breaker.CLOSED;
    }

    /** Whether the store is given up: nobody but the probe asks it. */
    public boolean isOpen() {
        return state == Breaker.OPEN;
    }

    /** Whether the store is given up and has not answered any of the last probes. */
    synchronized boolean isSilent() {
        return state == Breaker.OPEN && probes == 0;
    }

    /** Whether nobody waits for other nodes any more, so that the store can take what was given out without it. */
    boolean isGathered() {
        Breaker now = state;
        return now == Breaker.CLOSED || (now == Breaker.RETURNING && gathering.isOver(clock.micros()));
    }

    /** An estimate of when the store may be asked again. */
    static long retryMicros() {
        return RETRY_MICROS;
    }
}
