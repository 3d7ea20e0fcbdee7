package dev.penstock.internal.memory;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.internal.KeyBytes;
import dev.penstock.internal.algorithm.Rule;
import java.util.Arrays;

/** Where an account is found: an encoded key, and the rule whose shape is counted under it. Immutable. */
final class Address {
    final String counter;
    final byte[] key;
    final int hash;
    final Rule rule;

    /** Of the charge whose key's bytes these are. */
    Address(Charge charge, byte[] key) {
        this.counter = charge.key().counter();
        this.key = key;
        this.hash = KeyBytes.hash(key, counter.hashCode());
        this.rule = charge.limit().rule();
    }

    static Address[] all(Ask ask) {
        Address[] all = new Address[ask.size()];
        for (int i = 0; i < all.length; i++) {
            Charge charge = ask.charge(i);
            all[i] = new Address(charge, charge.key().bytes());
        }
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Address that && isSameAs(that);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    boolean isSameAs(Address other) {
        return hash == other.hash
                && (rule == other.rule || rule.shape().equals(other.rule.shape()))
                && counter.equals(other.counter)
                && Arrays.equals(key, other.key);
    }
}
