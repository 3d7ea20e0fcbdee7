package dev.penstock.internal.cache;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.internal.KeyBytes;
import java.util.Arrays;

/** Which account a charge is counted in: a key, and the shape of what is counted under it. Immutable. */
public final class AccountName {
    private final String counter;
    private final byte[] key;
    private final String shape;
    final int hash;

    private AccountName(Charge charge) {
        this.counter = charge.key().counter();
        this.key = charge.key().bytes();
        this.shape = charge.limit().rule().shape();
        this.hash = 31 * KeyBytes.hash(key, counter.hashCode()) + shape.hashCode();
    }

    /** The accounts of an ask's charges, in their order. */
    public static AccountName[] all(Ask ask) {
        AccountName[] all = new AccountName[ask.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = new AccountName(ask.charge(i));
        }
        return all;
    }

    boolean isSameAs(AccountName other) {
        return hash == other.hash
                && shape.equals(other.shape)
                && counter.equals(other.counter)
                && Arrays.equals(key, other.key);
    }
}
