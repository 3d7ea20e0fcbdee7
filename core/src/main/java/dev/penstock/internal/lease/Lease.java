package dev.penstock.internal.lease;

import dev.penstock.algorithm.Snapshot;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Permits of one account that the store holds for this process, which spends them until the lease ends. Thread-safe.
 *
 * <p>A lease ends well before the store's hold does, even if the clock is set back, and never becomes valid again. So
 * permits are spent only while the store counts them as held.
 */
public final class Lease {
    private static final long ENDED = -1;

    /** One permit in this number may be undecided, so that denied asks leave most of the lease to others. */
    private static final int UNDECIDED_ONE_IN = 4;

    private final String permitId;
    private final String unit;
    private final long drawn;
    private final long fromMicros;
    private final long untilMicros;
    private final Snapshot seen;
    private final long storeMicros;
    private final AtomicLong left;

    /** The permits that asks have taken and may put back. */
    private final AtomicLong undecided = new AtomicLong();

    /**
     * Creates a lease.
     *
     * @param seen the account as the store saw it when the permits were drawn, at {@code storeMicros} by its clock
     * @param fromMicros when the permits were asked for, by this process's clock
     */
    public Lease(
            String permitId,
            String unit,
            long drawn,
            long fromMicros,
            long untilMicros,
            Snapshot seen,
            long storeMicros) {
        this.permitId = permitId;
        this.unit = unit;
        this.drawn = drawn;
        this.fromMicros = fromMicros;
        this.untilMicros = untilMicros;
        this.seen = seen;
        this.storeMicros = storeMicros;
        this.left = new AtomicLong(drawn);
    }

    /** Takes this many permits if the lease has them. */
    public boolean take(long cost, long nowMicros) {
        if (nowMicros < fromMicros || nowMicros >= untilMicros) {
            return false;
        }
        long now = left.get();
        while (now >= cost) {
            if (left.compareAndSet(now, now - cost)) {
                return true;
            }
            now = left.get();
        }
        return false;
    }

    /**
     * Takes permits that may be put back, unless too many others may be. Until {@link #decided} is called, a lease
     * without permits does not count as spent.
     */
    boolean takeUndecided(long cost, long nowMicros) {
        long all = undecided.addAndGet(cost); // first, so that no other thread sees the lease as spent
        if ((all == cost || all <= drawn / UNDECIDED_ONE_IN) && take(cost, nowMicros)) {
            return true;
        }
        undecided.addAndGet(-cost);
        return false;
    }

    /** Called once for each {@link #takeUndecided}, after permits were put back. */
    void decided(long cost) {
        undecided.addAndGet(-cost);
    }

    /** Returns permits that were taken and not used. If the lease has ended, they stay spent. */
    public void putBack(long cost) {
        long now = left.get();
        while (now != ENDED && !left.compareAndSet(now, now + cost)) {
            now = left.get();
        }
    }

    /** Ends the lease. Returns the number of permits spent, or a negative number if it had already ended. */
    public long end() {
        long rest = left.getAndSet(ENDED);
        return rest == ENDED ? ENDED : drawn - rest;
    }

    public long left() {
        return Math.max(0, left.get());
    }

    /** Returns whether no permit is left, none can be put back, and the lease has not ended yet. */
    public boolean isSpent() {
        return left.get() == 0 && undecided.get() == 0;
    }

    public boolean isOver(long nowMicros) {
        return left.get() <= 0 || nowMicros < fromMicros || nowMicros >= untilMicros;
    }

    public String permitId() {
        return permitId;
    }

    public String unit() {
        return unit;
    }

    public long drawn() {
        return drawn;
    }

    public Snapshot seen() {
        return seen;
    }

    /** Returns the estimated time of the store at this time. */
    public long storeMicros(long nowMicros) {
        return storeMicros + (nowMicros - fromMicros);
    }
}
