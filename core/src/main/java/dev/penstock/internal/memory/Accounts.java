package dev.penstock.internal.memory;

import dev.penstock.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * All accounts of a memory engine, at most so many.
 *
 * <p>What a decision touches: one place in a table, the account, the bytes of its key. No queue is reordered and no
 * counter shared between processors is written when an account that exists is used.
 *
 * <p>Room is made only when an account is added. Idle accounts (a full bucket, an empty window, nothing held) go first;
 * every addition also looks at a few accounts that may have been idle for a while, so they do not pile up, and nothing ever
 * scans in the background. Where all are live, the caller decides: it is told that there is no room, or the account that would
 * be idle first is evicted.
 */
public final class Accounts {
    /** What became of adding an account. */
    enum Adding {
        ADDED,
        /** Another was there already. */
        NOT_NEEDED,
        /** All are live and have to stay. */
        NO_ROOM
    }

    private static final int STRIPES = 64;
    private static final int STRIPE_SHIFT = 26;
    private static final int LOOKS_PER_ADDITION = 3;

    /** How many accounts one addition looks at when there is no room: it must not stall for a million stale times. */
    private static final int LOOKS_WHEN_FULL = 1_024;

    private static final int MOST_SWEPT_PER_ADDITION = 2;

    /** While there is room, an idle account is kept this long: its key may well come again. */
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

    /** The accounts of these counters, looking at all that there are. */
    List<Account> ofCounters(Set<String> counters) {
        List<Account> found = new ArrayList<>();
        for (Stripe stripe : stripes) {
            stripe.addOfCounters(counters, found);
        }
        return found;
    }

    /**
     * Whether there was a moment, after the found accounts were locked, at which none of those not found existed.
     * Otherwise one of them may have been charged before, and another after, something that the ask must see whole.
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

    /** The account, made if need be for a first charge of {@code cost}; null when there is no room. */
    @Nullable
    Account findOrAdd(AccountAddress address, long cost) {
        Account found = stripe(address).glimpse(address);
        if (found != null) {
            return found;
        }
        Account fresh = new Account(address);
        return add(fresh, address, cost) == Adding.ADDED ? fresh : find(address);
    }

    /** Adds an account for a first charge of {@code cost}, unless there is one at its address. */
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

    /** A request was denied because there was no room. */
    void noteDeniedFull() {
        deniedFull.increment();
    }

    /** A charge was let through uncounted because there was no room. */
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

    /** When the first account may become idle; {@link Long#MAX_VALUE} when there is none. */
    public long firstDueMicros() {
        long first = Long.MAX_VALUE;
        for (Stripe stripe : stripes) {
            first = Math.min(first, stripe.firstDue().micros());
        }
        return first;
    }

    /** Counts one account more, having evicted others as needed; answers false when all are live and have to stay. */
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

    /** Evicts the account that would be idle first, as far as a number of looks can tell. */
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
