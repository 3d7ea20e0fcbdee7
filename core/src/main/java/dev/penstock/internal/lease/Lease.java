package dev.penstock.internal.lease;

import dev.penstock.algorithm.Snapshot;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Permits of one account that the store holds for this process, which spends them until the lease ends. Thread-safe.
 *
 * <p>It ends well before the store's hold does, also when the clock goes back, and never comes to life again; so what is
 * spent is spent while the store counts it as held.
 */
public final class Lease {
    private static final long ENDED = -1;

    private final String permitId;
    private final String unit;
    private final long drawn;
    private final long fromMicros;
    private final long untilMicros;
    private final Snapshot seen;
    private final long storeMicros;
    private final AtomicLong left;

    /**
     * @param seen the account as the store saw it when the permits were drawn, at {@code storeMicros} by its clock
     * @param fromMicros when they were asked for, by this process's clock
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

    /** Takes so many permits, if it has them. */
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

    /** Gives back what was taken and not used, unless the lease has ended: then it stays spent. */
    public void putBack(long cost) {
        long now = left.get();
        while (now != ENDED && !left.compareAndSet(now, now + cost)) {
            now = left.get();
        }
    }

    /** Ends the lease; answers what was spent, or a negative number if it had ended before. */
    public long end() {
        long rest = left.getAndSet(ENDED);
        return rest == ENDED ? ENDED : drawn - rest;
    }

    public long left() {
        return Math.max(0, left.get());
    }

    /** Whether nothing is left, and it has not ended yet. */
    public boolean isSpent() {
        return left.get() == 0;
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

    /** The store's time now, as far as this process can tell. */
    public long storeMicros(long nowMicros) {
        return storeMicros + (nowMicros - fromMicros);
    }
}
