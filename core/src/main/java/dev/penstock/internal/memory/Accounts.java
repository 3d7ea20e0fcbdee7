package dev.penstock.internal.memory;

import dev.penstock.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * All accounts of a memory engine, up to a maximum number.
 *
 * <p>A decision touches only one slot of a table, the account, and the bytes of its key. Using an existing account
 * reorders no queue and writes no counter that processors share.
 *
 * <p>Accounts are evicted only when an account is added. Idle accounts (a full bucket, an empty window, nothing held)
 * go first. Every addition also checks a few accounts that may be idle, so that they do not pile up. There is no
 * background scan. If all accounts are live, either the addition fails because there is no room, or the account that
 * would be idle first is evicted.
 */
public final class Accounts {
    /** The result of adding an account. */
    enum Adding {
        ADDED,
        /** There already was an account at the address. */
        NOT_NEEDED,
        /** All accounts are live and must stay. */
        NO_ROOM
    }

    private static final int STRIPES = 64;
    private static final int STRIPE_SHIFT = 26;
    private static final int LOOKS_PER_ADDITION = 3;

    /**
     * The number of accounts that one addition checks when there is no room. It bounds the time that outdated idle
     * times can cost.
     */
    private static final int LOOKS_WHEN_FULL = 1_024;

    private static final int MOST_SWEPT_PER_ADDITION = 2;

    /** While there is room, an idle account is kept for this time, because its key may well be used again. */
    private static final long SPARED_MICROS = 10_000_000;

    private final Stripe[] stripes = new Stripe[STRIPES];
    private final int most;
    private final boolean evictLive;
    private final Clock clock;
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicInteger additions = new AtomicInteger();
    private final LongAdder evictedIdle = new LongAdder();
    private final LongAdder evictedLive = new LongAdder();
    private final LongAdder deniedFull = new LongAdder();
    private final LongAdder uncounted = new LongAdder();

    public Accounts(int most, boolean evictLive, Clock clock) {
        this.most = most;
        this.evictLive = evictLive;
        this.clock = clock;
        for (int i = 0; i < STRIPES; i++) {
            stripes[i] = new Stripe(clock);
        }
    }

    @Nullable
    Account find(AccountAddress address) {
        Stripe stripe = stripe(address);
        Account found = stripe.glimpse(address);
        return found == null ? stripe.find(address) : found;
    }

    /** Returns the accounts of these counters. Scans all accounts. */
    List<Account> ofCounters(Set<String> counters) {
        List<Account> found = new ArrayList<>();
        for (Stripe stripe : stripes) {
            stripe.addOfCounters(counters, found);
        }
        return found;
    }

    /**
     * Returns whether there was a moment, after the found accounts were locked, at which none of the missing accounts
     * existed. Otherwise the ask might see only a part of another ask that charged several of these accounts.
     */
    boolean areStillMissing(AccountAddress[] addresses, @Nullable Account[] found) {
        int[] additionsNear = new int[found.length];
        for (int i = 0; i < found.length; i++) {
            if (found[i] == null) {
                additionsNear[i] = stripe(addresses[i]).additions();
                if (find(addresses[i]) != null) {
                    return false;
                }
            }
        }
        for (int i = 0; i < found.length; i++) {
            if (found[i] == null && stripe(addresses[i]).additions() != additionsNear[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the account, which is created for a first charge of {@code cost} if it does not exist. Returns null if
     * there is no room.
     */
    @Nullable
    Account findOrAdd(AccountAddress address, long cost) {
        Account found = stripe(address).glimpse(address);
        if (found != null) {
            return found;
        }
        Account fresh = new Account(address);
        return add(fresh, address, cost) == Adding.ADDED ? fresh : find(address);
    }

    /** Adds an account for a first charge of {@code cost}, unless there is already one at its address. */
    Adding add(Account fresh, AccountAddress address, long cost) {
        Stripe stripe = stripe(address);
        long due = address.rule.idleAfterMicros(Math.max(1, cost), clock.micros());
        if (!makeRoom(stripe)) {
            return Adding.NO_ROOM;
        }
        Account account = stripe.addIfAbsent(fresh, address, new DueHeap.Due(due, additions.incrementAndGet()));
        if (account != fresh) {
            count.decrementAndGet();
            return Adding.NOT_NEEDED;
        }
        return Adding.ADDED;
    }

    /** Counts a request that was denied because there was no room. */
    void noteDeniedFull() {
        deniedFull.increment();
    }

    /** Counts a charge that was allowed without being counted because there was no room. */
    void noteUncounted() {
        uncounted.increment();
    }

    public long deniedFull() {
        return deniedFull.sum();
    }

    public long uncounted() {
        return uncounted.sum();
    }

    public int count() {
        return count.get();
    }

    public long evictedIdle() {
        return evictedIdle.sum();
    }

    public long evictedLive() {
        return evictedLive.sum();
    }

    /** Returns when the first account may become idle, or {@link Long#MAX_VALUE} if there are no accounts. */
    public long firstDueMicros() {
        long first = Long.MAX_VALUE;
        for (Stripe stripe : stripes) {
            first = Math.min(first, stripe.firstDue().micros());
        }
        return first;
    }

    /** Counts one more account, after evicting others if necessary. Returns false if all are live and must stay. */
    private boolean makeRoom(Stripe own) {
        int swept = 0;
        while (swept < MOST_SWEPT_PER_ADDITION && evictIdle(own, SPARED_MICROS, LOOKS_PER_ADDITION)) {
            swept++;
        }
        while (!countOneMore()) {
            if (!evictIdleAnywhere(own) && !(evictLive && evictFirst())) {
                return false;
            }
        }
        return true;
    }

    private boolean countOneMore() {
        int now = count.get();
        while (now < most) {
            if (count.compareAndSet(now, now + 1)) {
                return true;
            }
            now = count.get();
        }
        return false;
    }

    private boolean evictIdleAnywhere(Stripe own) {
        if (evictIdle(own, 0, LOOKS_WHEN_FULL)) {
            return true;
        }
        for (Stripe stripe : stripes) {
            if (evictIdle(stripe, 0, LOOKS_WHEN_FULL / STRIPES)) {
                return true;
            }
        }
        return false;
    }

    private boolean evictIdle(Stripe stripe, long sparedMicros, int looks) {
        boolean evicted = stripe.evictIdle(sparedMicros, looks);
        if (evicted) {
            count.decrementAndGet();
            evictedIdle.increment();
        }
        return evicted;
    }

    /** Evicts the account that would be idle first, as far as a limited number of checks can find it. */
    private boolean evictFirst() {
        for (int looks = LOOKS_WHEN_FULL; looks >= 0; looks--) {
            Stripe earliest = stripes[0];
            DueHeap.Due first = earliest.firstFreeDue();
            for (Stripe stripe : stripes) {
                DueHeap.Due due = stripe.firstFreeDue();
                if (due.isBefore(first)) {
                    earliest = stripe;
                    first = due;
                }
            }
            if (first.equals(DueHeap.Due.NEVER)) {
                return false;
            }
            if (earliest.evictFirst(looks == 0 ? Long.MAX_VALUE : first.micros())) {
                count.decrementAndGet();
                evictedLive.increment();
                return true;
            }
        }
        return false;
    }

    private Stripe stripe(AccountAddress address) {
        return stripes[address.hash >>> STRIPE_SHIFT];
    }
}
