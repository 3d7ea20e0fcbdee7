package dev.penstock.spi;

import dev.penstock.internal.AccountName;
import dev.penstock.internal.Expect;
import java.util.HashSet;
import java.util.Set;

/**
 * The accounts that nodes have reset: either all, or some, identified by their fingerprints. Immutable.
 *
 * <p>A fingerprint is a hash that every node computes from the same bytes. Two accounts may share one, so a reset may
 * seem to include an account that was not reset. It never leaves out one that was.
 *
 * @param areAll whether any account may have been reset
 * @param fingerprints the fingerprints of the accounts that were reset; empty if all may have been
 */
public record Resets(boolean areAll, Set<Long> fingerprints) {
    /** Any account may have been reset. Listeners must drop everything. */
    public static final Resets ALL = new Resets(true, Set.of());

    public Resets {
        fingerprints = Set.copyOf(Expect.present(fingerprints, "fingerprints"));
    }

    /** Returns the reset of the accounts of an ask. */
    public static Resets of(Ask ask) {
        Set<Long> fingerprints = new HashSet<>();
        for (AccountName account : AccountName.all(Expect.present(ask, "ask"))) {
            fingerprints.add(account.fingerprint());
        }
        return of(fingerprints);
    }

    /** Returns the reset of the accounts with these fingerprints. */
    public static Resets of(Set<Long> fingerprints) {
        return new Resets(false, fingerprints);
    }

    /** Returns whether the account with this fingerprint may have been reset. */
    public boolean mayInclude(long fingerprint) {
        return areAll || fingerprints.contains(fingerprint);
    }
}
