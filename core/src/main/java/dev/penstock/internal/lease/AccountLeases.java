package dev.penstock.internal.lease;

import dev.penstock.Policy.Consistency;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The leases of one account: the one that is spent, and the one drawn ahead; when to draw again; and whether there is
 * nothing to be had until then. Thread-safe.
 */
public final class AccountLeases {
    /**
     * The store gave less than is asked for: it is left alone for a while, and what no lease has is denied meanwhile.
     *
     * @param seen the account as the store saw it, at {@code storeMicros} by its clock
     * @param remaining costs up to this may be had of the store all the same
     * @param fromMicros since when, by this process's clock
     */
    public record Shortage(Snapshot seen, long storeMicros, long remaining, long fromMicros, long untilMicros) {
        /** The store's time now, as far as this process can tell. */
        public long storeMicros(long nowMicros) {
            return storeMicros + (nowMicros - fromMicros);
        }
    }

    private final String policy;
    private final long lifeMicros;
    private final LeaseDemand demand;
    private final LeaseSizer sizer;
    private volatile @Nullable Lease current;
    private volatile @Nullable Lease next;
    private volatile @Nullable CompletableFuture<Void> drawing;
    private volatile @Nullable Shortage shortage;
    private volatile long awayFromMicros;
    private volatile long awayUntilMicros;
    private volatile boolean cutShort;

    /** Whether permits of the charge's limit can be drawn ahead. */
    public static boolean mayServe(Charge charge) {
        Algorithm algorithm = charge.limit().algorithm();
        return charge.settings().consistency() == Consistency.LEASED
                && charge.settings().enforcement() == Enforcement.ENFORCED
                && charge.cost() > 0
                && !(algorithm instanceof Concurrency)
                && !(algorithm instanceof LeakyBucket);
    }

    /**
     * @param policy for which it is drawn: the first, where several count in one account
     * @param lifeMicros of a lease
     * @param returnMicros how long it takes until everything is there again that can be had at once
     */
    public AccountLeases(String policy, long lifeMicros, long returnMicros, long nowMicros) {
        this.policy = policy;
        this.lifeMicros = lifeMicros;
        this.demand = new LeaseDemand(nowMicros);
        this.sizer = new LeaseSizer(returnMicros);
    }

    public String policy() {
        return policy;
    }

    public long lifeMicros() {
        return lifeMicros;
    }

    /** Notes that so many permits are wanted, from whomever. */
    public void want(long cost, long nowMicros) {
        demand.note(cost, lifeMicros, nowMicros);
    }

    /** The lease from which the cost was taken; null where there is none that has it. */
    public @Nullable Lease take(long cost, long nowMicros) {
        Lease lease = current;
        if (lease != null && lease.take(cost, nowMicros)) {
            return lease;
        }
        return next == null ? null : takeFromNext(cost, nowMicros);
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

    /** Whether a lease has that much. */
    public boolean has(long cost, long nowMicros) {
        return left(current, nowMicros) >= cost || left(next, nowMicros) >= cost;
    }

    /** How many permits are drawn ahead and not spent. */
    public long left(long nowMicros) {
        return left(current, nowMicros) + left(next, nowMicros);
    }

    private static long left(@Nullable Lease lease, long nowMicros) {
        return lease == null || lease.isOver(nowMicros) ? 0 : lease.left();
    }

    /** The lease of which nothing is left, to be ended; null if there is none. */
    public @Nullable Lease spent() {
        Lease lease = current;
        return lease != null && lease.isSpent() ? lease : null;
    }

    /** Why there is nothing to be had now; null where the store can be asked. */
    public @Nullable Shortage shortage(long nowMicros) {
        Shortage known = shortage;
        return known != null && nowMicros >= known.fromMicros && nowMicros < known.untilMicros ? known : null;
    }

    /** Done when the draw that is under way is over; null if none is. */
    public @Nullable CompletableFuture<Void> underway() {
        return drawing;
    }

    /** How many permits to draw now; zero for none. Whoever is told a number draws, and says how it went. */
    public long toDraw(long capacity, long nowMicros) {
        boolean away = nowMicros >= awayFromMicros && nowMicros < awayUntilMicros;
        if (drawing != null || next != null || away || !LeaseSizer.isHot(demand.permits())) {
            return 0;
        }
        Lease lease = current;
        if (lease != null && !lease.isOver(nowMicros) && lease.left() > lease.drawn() / 2) {
            return 0;
        }
        return beginDraw(capacity, nowMicros);
    }

    private synchronized long beginDraw(long capacity, long nowMicros) {
        if (drawing != null || next != null) {
            return 0;
        }
        LeaseSizer.Size size = sizer.size(demand.permits(), capacity, nowMicros);
        if (size.permits() == 0) {
            return 0;
        }
        cutShort = size.isCutShort();
        drawing = new CompletableFuture<>();
        return size.permits();
    }

    /** The store granted a lease. Where no more was to be had than that, it is left alone for half the lease's life. */
    public void drawn(Lease lease, long remaining, long nowMicros) {
        CompletableFuture<Void> over;
        synchronized (this) {
            sawRemaining(remaining, nowMicros);
            if (cutShort) {
                long until = nowMicros + lifeMicros / 2;
                stayAway(nowMicros, until);
                shortage = new Shortage(lease.seen(), lease.storeMicros(nowMicros), 0, nowMicros, until);
            }
            Lease before = current;
            if (before == null || before.isOver(nowMicros)) {
                current = lease;
            } else {
                next = lease;
            }
            over = drawing;
            drawing = null;
        }
        tell(over);
    }

    private void stayAway(long fromMicros, long untilMicros) {
        awayFromMicros = fromMicros;
        awayUntilMicros = untilMicros;
    }

    /** The store granted none: it is left alone for a while. */
    public void refused(@Nullable Shortage why, long awayMicros, long nowMicros) {
        CompletableFuture<Void> over;
        synchronized (this) {
            stayAway(nowMicros, nowMicros + awayMicros);
            shortage = why;
            if (why != null) {
                sawRemaining(why.remaining, nowMicros);
            }
            over = drawing;
            drawing = null;
        }
        tell(over);
    }

    private static void tell(@Nullable CompletableFuture<Void> over) {
        if (over != null) {
            over.complete(null);
        }
    }

    /** What the store said is left. */
    public void sawRemaining(long remaining, long nowMicros) {
        sizer.sawRemaining(remaining, nowMicros);
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
