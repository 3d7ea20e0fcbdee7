package dev.penstock.internal.guard;

import dev.penstock.Charge;
import dev.penstock.internal.KeyBytes;
import java.util.Arrays;

/** Which account of a store a charge is made to: a key, and the shape of what is counted under it. Immutable. */
final class AccountName {
    private final String counter;
    private final byte[] key;
    private final String shape;
    private final int hash;

    AccountName(Charge charge) {
        this.counter = charge.key().counter();
        this.key = charge.key().bytes();
        this.shape = charge.limit().rule().shape();
        this.hash = KeyBytes.hash(key, counter.hashCode());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AccountName that
                && hash == that.hash
                && shape.equals(that.shape)
                && counter.equals(that.counter)
                && Arrays.equals(key, that.key);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
