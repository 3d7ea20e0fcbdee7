package dev.penstock.internal.cache;

import dev.penstock.Limit;
import dev.penstock.internal.AccountName;
import dev.penstock.spi.Resets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last denial of each account, in a table of fixed size: where there is no room, a new one takes the place of the
 * oldest of the few that it could stand beside. What is lost so costs a trip, nothing else.
 *
 * <p>Thread-safe. Finding takes no lock; changing takes one of a few, and nothing else runs under it.
 */
public final class DenialTable {
    private static final int BESIDE = 4;
    private static final int LOCKS = 64;

    private final AtomicReferenceArray<@Nullable CachedDenial> places;
    private final int rowLength;
    private final int rows;
    private final Object[] locks = new Object[LOCKS];
    private final AtomicInteger resets = new AtomicInteger();

    public DenialTable(int most) {
        rowLength = Math.min(BESIDE, most);
        rows = most / rowLength;
        places = new AtomicReferenceArray<>(rows * rowLength);
        for (int i = 0; i < LOCKS; i++) {
            locks[i] = new Object();
        }
    }

    /** How many resets there were: what was asked before one must not be added after it. */
    public int resets() {
        return resets.get();
    }

    @Nullable
    CachedDenial find(AccountName account) {
        int first = firstPlace(account);
        for (int i = first; i < first + rowLength; i++) {
            CachedDenial denial = places.get(i);
            if (denial != null && denial.account.equals(account)) {
                return denial;
            }
        }
        return null;
    }

    /** Adds a denial in place of an earlier one of the account, unless there was a reset since it was asked for. */
    public void add(CachedDenial denial, int resetsBefore) {
        int first = firstPlace(denial.account);
        synchronized (lockOf(first)) {
            if (resets.get() == resetsBefore) {
                places.set(placeFor(denial, first), denial);
            }
        }
    }

    private int placeFor(CachedDenial denial, int first) {
        int oldest = first;
        long oldestMicros = Long.MAX_VALUE;
        for (int i = first; i < first + rowLength; i++) {
            CachedDenial there = places.get(i);
            if (there != null && there.account.equals(denial.account)) {
                return i;
            }
            long sinceMicros = there == null ? Long.MIN_VALUE : there.sinceMicros;
            if (sinceMicros < oldestMicros) {
                oldest = i;
                oldestMicros = sinceMicros;
            }
        }
        return oldest;
    }

    /** Forgets the account's denial, except one under that limit if {@code spared} is not null. */
    public void forget(AccountName account, @Nullable Limit spared) {
        CachedDenial denial = find(account);
        if (denial == null || (spared != null && denial.isUnder(spared))) {
            return;
        }
        int first = firstPlace(account);
        synchronized (lockOf(first)) {
            for (int i = first; i < first + rowLength; i++) {
                CachedDenial there = places.get(i);
                if (there != null && there.account.equals(account)) {
                    places.set(i, null);
                }
            }
        }
    }

    /** Forgets the account's denial, unless the store made it after that time of its own. */
    public void forgetUntil(AccountName account, long storeMicros) {
        CachedDenial denial = find(account);
        if (denial != null && denial.storeMicros <= storeMicros) {
            forget(account, null);
        }
    }

    /** Forgets these accounts, and whatever is still on its way from before. */
    public void reset(AccountName[] accounts) {
        resets.incrementAndGet();
        for (AccountName account : accounts) {
            // Whoever adds checks the count under this lock: before it, and is forgotten here, or after, and sees it.
            int first = firstPlace(account);
            synchronized (lockOf(first)) {
                forget(account, null);
            }
        }
    }

    /** Forgets these accounts, and whatever is still on its way from before. Looks at every place. */
    public void reset(Resets which) {
        resets.incrementAndGet();
        for (int first = 0; first < places.length(); first += rowLength) {
            synchronized (lockOf(first)) {
                for (int i = first; i < first + rowLength; i++) {
                    CachedDenial denial = places.get(i);
                    if (denial != null && which.mayInclude(denial.fingerprint)) {
                        places.set(i, null);
                    }
                }
            }
        }
    }

    private Object lockOf(int place) {
        return locks[place / rowLength % LOCKS];
    }

    private int firstPlace(AccountName account) {
        return (int) (((account.hashCode() & 0xffff_ffffL) * rows) >>> 32) * rowLength;
    }
}
