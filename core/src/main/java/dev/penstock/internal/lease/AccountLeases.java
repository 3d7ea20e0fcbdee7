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
 * The leases of one account: the lease being spent, and the one drawn ahead of it. Also decides when to draw again, and
 * remembers that the store has no more permits. Thread-safe.
 */
public final class AccountLeases {
    /**
     * A time in which the store is not asked, because it had fewer permits than are in demand. Asks that no lease can
     * serve are denied meanwhile.
     *
     * @param seen the account as the store saw it, at {@code storeMicros} by its clock
     * @param remaining the store may still have permits for costs up to this
     * @param fromMicros when the shortage began, by this process's clock
     * @param untilMicros when it ends, by this process's clock
     */
    public record Shortage(Snapshot seen, long storeMicros, long remaining, long fromMicros, long untilMicros) {
        /** Returns the estimated time of the store at this time. */
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

    /** Returns whether permits of the charge's limit can be drawn ahead. */
    public static boolean mayServe(Charge charge) {
        Algorithm algorithm = charge.limit().algorithm();
        return charge.settings().consistency() == Consistency.LEASED
                && charge.settings().enforcement() == Enforcement.ENFORCED
                && charge.cost() > 0
                && !(algorithm instanceof Concurrency)
                && !(algorithm instanceof LeakyBucket);
    }

    /**
     * Creates the leases of an account.
     *
     * @param policy the policy that the permits are drawn for; the first one if several policies share the account
     * @param lifeMicros the lifetime of a lease
     * @param returnMicros the time in which the whole capacity comes back
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

    /** Counts permits that an ask wants, whether or not a lease can serve it. */
    public void want(long cost, long nowMicros) {
        demand.note(cost, lifeMicros, nowMicros);
    }

    /**
     * Takes the cost from a lease and returns the lease, or null if no lease has enough permits.
     *
     * @param isUndecided whether the permits may be put back
     */
    @Nullable
    Lease take(long cost, boolean isUndecided, long nowMicros) {
        Lease lease = current;
        if (lease != null && take(lease, cost, isUndecided, nowMicros)) {
            return lease;
        }
        return next == null ? null : takeFromNext(cost, isUndecided, nowMicros);
    }

    private static boolean take(Lease lease, long cost, boolean isUndecided, long nowMicros) {
        return isUndecided ? lease.takeUndecided(cost, nowMicros) : lease.take(cost, nowMicros);
    }

    private synchronized @Nullable Lease takeFromNext(long cost, boolean isUndecided, long nowMicros) {
        Lease ahead = next;
        Lease lease = current;
        if (ahead != null && (lease == null || lease.isOver(nowMicros))) {
            current = ahead;
            next = null;
            return take(ahead, cost, isUndecided, nowMicros) ? ahead : null;
        }
        return null;
    }

    /** Returns whether one lease has at least this many permits. */
    public boolean has(long cost, long nowMicros) {
        return left(current, nowMicros) >= cost || left(next, nowMicros) >= cost;
    }

    /** Returns the number of permits that are drawn ahead and not spent. */
    public long left(long nowMicros) {
        return left(current, nowMicros) + left(next, nowMicros);
    }

    private static long left(@Nullable Lease lease, long nowMicros) {
        return lease == null || lease.isOver(nowMicros) ? 0 : lease.left();
    }

    /** Returns the current lease if nothing is left of it, so that it can be ended; otherwise null. */
    public @Nullable Lease spent() {
        Lease lease = current;
        return lease != null && lease.isSpent() ? lease : null;
    }

    /** Returns the current shortage, or null if the store can be asked. */
    public @Nullable Shortage shortage(long nowMicros) {
        Shortage known = shortage;
        return known != null && nowMicros >= known.fromMicros && nowMicros < known.untilMicros ? known : null;
    }

    /** Returns a future that completes when the draw in progress is over, or null if there is none. */
    public @Nullable CompletableFuture<Void> underway() {
        return drawing;
    }

    /**
     * Returns the number of permits to draw now, or zero for none. After any other result, the caller must draw, and
     * must call {@link #drawn} or {@link #refused}.
     */
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

    /**
     * Records a lease that the store granted. If the store had no more permits than that, it is not asked again for
     * half the lease's lifetime.
     */
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
        complete(over);
    }

    private void stayAway(long fromMicros, long untilMicros) {
        awayFromMicros = fromMicros;
        awayUntilMicros = untilMicros;
    }

    /** Records that the store granted no lease. It is not asked again for a while. */
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
        complete(over);
    }

    private static void complete(@Nullable CompletableFuture<Void> over) {
        if (over != null) {
            over.complete(null);
        }
    }

    /** Records the number of permits that the store reported as left. */
    public void sawRemaining(long remaining, long nowMicros) {
        sizer.sawRemaining(remaining, nowMicros);
    }

    /** Removes and returns all leases, which the caller must end. */
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
