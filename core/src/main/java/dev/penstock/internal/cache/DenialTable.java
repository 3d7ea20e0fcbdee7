package dev.penstock.internal.cache;

import dev.penstock.Limit;
import dev.penstock.internal.AccountName;
import dev.penstock.spi.Resets;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last denial of each account, in a table of fixed size. If there is no room, a new denial replaces the oldest of
 * the few that share its row. A lost denial costs only a round trip.
 *
 * <p>Thread-safe. Lookups take no lock. Changes take one of a few locks and run nothing else under it.
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

    /** Returns the number of resets. An answer to an ask from before a reset must not be added after it. */
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

    /** Adds a denial, which replaces an earlier one of the account, unless there was a reset after its ask was sent. */
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

    /** Removes the account's denial, unless it was made under {@code spared}. */
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

    /** Removes the account's denial, unless it was made after this time of the store. */
    public void forgetUntil(AccountName account, long storeMicros) {
        CachedDenial denial = find(account);
        if (denial != null && denial.storeMicros <= storeMicros) {
            forget(account, null);
        }
    }

    /** Removes the denials of these accounts, including those of answers that have not arrived yet. */
    public void reset(AccountName[] accounts) {
        resets.incrementAndGet();
        for (AccountName account : accounts) {
            // Code that adds a denial checks the count under this lock. It either runs before this and is removed here,
            // or runs after it and sees the new count.
            int first = firstPlace(account);
            synchronized (lockOf(first)) {
                forget(account, null);
            }
        }
    }

    /**
     * Removes the denials of these accounts, including those of answers that have not arrived yet. Scans the whole
     * table.
     */
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
