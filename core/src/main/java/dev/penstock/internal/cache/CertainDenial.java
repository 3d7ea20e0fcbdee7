package dev.penstock.internal.cache;

import dev.penstock.algorithm.Snapshot;
import dev.penstock.internal.AccountName;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The charges of an ask that would certainly be denied, and the states of their accounts. Immutable.
 *
 * @param denied the charges, in the order of the ask
 * @param snapshots the account of each charge at {@code storeMicros}
 * @param storeMicros the store's time, or a little later
 */
public record CertainDenial(List<Charge> denied, List<Snapshot> snapshots, long storeMicros) {
    /** Returns the denials that the cache proves for the ask, or null if it proves none. */
    public static @Nullable CertainDenial of(Ask ask, AccountName[] accounts, DenialTable denials, long nowMicros) {
        @Nullable CachedDenial[] found = null;
        for (int i = 0; i < accounts.length; i++) {
            CachedDenial denial = CachedDenial.isPossibleFor(ask.charge(i)) ? denials.find(accounts[i]) : null;
            if (denial != null && denial.isUnder(ask.charge(i).limit())) {
                found = found == null ? new CachedDenial[accounts.length] : found;
                found[i] = denial;
            }
        }
        return found == null ? null : proven(ask, accounts, found, nowMicros);
    }

    private static @Nullable CertainDenial proven(
            Ask ask, AccountName[] accounts, @Nullable CachedDenial[] found, long nowMicros) {
        long storeMicros = Long.MAX_VALUE;
        for (int i = 0; i < found.length; i++) {
            CachedDenial denial = found[i];
            if (denial != null && isProven(ask, accounts, i, denial, nowMicros)) {
                storeMicros = Math.min(storeMicros, denial.storeMicros(nowMicros)); // each is the store's time or later
            } else {
                found[i] = null;
            }
        }
        if (storeMicros == Long.MAX_VALUE) {
            return null;
        }
        List<Charge> denied = new ArrayList<>(found.length);
        List<Snapshot> snapshots = new ArrayList<>(found.length);
        for (int i = 0; i < found.length; i++) {
            CachedDenial denial = found[i];
            if (denial != null) {
                denied.add(ask.charge(i));
                snapshots.add(denial.at(storeMicros, ask.charge(i).cost(), ahead(ask, accounts, i)));
            }
        }
        return new CertainDenial(denied, snapshots, storeMicros);
    }

    private static boolean isProven(Ask ask, AccountName[] accounts, int i, CachedDenial denial, long nowMicros) {
        return denial.isFresh(nowMicros)
                && !meetsOtherNumbers(ask, accounts, i)
                && denial.proves(ask.charge(i).cost(), ahead(ask, accounts, i), ask.maxDelayMicros(), nowMicros);
    }

    /** Returns the cost of the ask's earlier enforced charges to the same account as this enforced charge. */
    private static long ahead(Ask ask, AccountName[] accounts, int i) {
        long ahead = 0;
        for (int k = 0; k < i; k++) {
            if (ask.charge(k).isEnforced() && accounts[k].equals(accounts[i])) {
                ahead += ask.charge(k).cost();
            }
        }
        return ahead;
    }

    /**
     * Returns whether the ask also charges the same account under another limit. If so, its state is converted, which
     * rounds it.
     */
    public static boolean meetsOtherNumbers(Ask ask, AccountName[] accounts, int i) {
        for (int k = 0; k < accounts.length; k++) {
            if (k != i
                    && accounts[k].equals(accounts[i])
                    && !ask.charge(k).limit().equals(ask.charge(i).limit())) {
                return true;
            }
        }
        return false;
    }
}
