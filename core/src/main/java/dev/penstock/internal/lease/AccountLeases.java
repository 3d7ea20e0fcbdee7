package dev.penstock.internal.lease;

import org.jspecify.annotations.Nullable;

/** The leases of one account: the one that is spent, and the one drawn ahead; and when to draw again. Thread-safe. */
public final class AccountLeases {
    /** Fewer asked for in a lease's life are left to the store: such a key is not hot. */
    private static final long COLD_BELOW = 8;

    private static final long LEAST = 2;

    private final long lifeMicros;
    private final Demand demand;
    private volatile @Nullable Lease current;
    private volatile @Nullable Lease next;
    private volatile boolean drawing;
    private volatile long awayUntilMicros;
    private volatile long asked;
    private volatile long available = Long.MAX_VALUE;

    public AccountLeases(long lifeMicros, long nowMicros) {
        this.lifeMicros = lifeMicros;
        this.demand = new Demand(nowMicros);
    }

    public long lifeMicros() {
        return lifeMicros;
    }

    /** Notes that so many permits are wanted, from whomever. */
    public void want(long cost, long nowMicros) {
        asked = demand.note(cost, lifeMicros, nowMicros);
    }

    /** The lease from which the cost was taken; null where there is none that has it. */
    public @Nullable Lease take(long cost, long nowMicros) {
        Lease lease = current;
        if (lease != null && lease.take(cost, nowMicros)) {
            return lease;
        }
        return takeFromNext(cost, nowMicros);
    }

    private synchronized @Nullable Lease takeFromNext(long cost, long nowMicros) {
        Lease ahead = next;
        Lease lease = current;
        if (ahead != null && (lease == null || lease.isOver(nowMicros))) {
            current = ahead;
            next = null;
            return ahead.take(cost, nowMicros) ? ahead : null;
        }
        return null;
    }

    /** How many permits to draw now; zero for none. Whoever is told a number draws, and says how it went. */
    public synchronized long toDraw(long capacity, long nowMicros) {
        if (drawing || next != null || nowMicros < awayUntilMicros || asked < COLD_BELOW) {
            return 0;
        }
        Lease lease = current;
        if (lease != null && !lease.isOver(nowMicros) && lease.left() > lease.drawn() / 2) {
            return 0;
        }
        long most = Math.min(available, capacity) / 2;
        long size = Math.min(asked / 2, most);
        if (size < LEAST) {
            return 0;
        }
        drawing = true;
        return size;
    }

    /** The store granted a lease. */
    public synchronized void drawn(Lease lease, long remaining, long nowMicros) {
        drawing = false;
        available = remaining;
        Lease spent = current;
        if (spent == null || spent.isOver(nowMicros)) {
            current = lease;
        } else {
            next = lease;
        }
    }

    /** The store granted none: it is left alone for a while. */
    public synchronized void refused(long awayMicros, long nowMicros) {
        drawing = false;
        awayUntilMicros = nowMicros + awayMicros;
    }

    /** What the store said is left, when it decided itself. */
    public void sawRemaining(long remaining) {
        available = remaining;
    }

    /** Lets go of all leases, to be ended. */
    public synchronized Lease[] giveUp() {
        Lease one = current;
        Lease other = next;
        current = null;
        next = null;
        if (one == null) {
            return other == null ? new Lease[0] : new Lease[] {other};
        }
        return other == null ? new Lease[] {one} : new Lease[] {one, other};
    }
}
