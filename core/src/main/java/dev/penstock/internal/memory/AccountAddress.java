package dev.penstock.internal.memory;

import dev.penstock.algorithm.Rule;
import dev.penstock.internal.KeyEncoding;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import java.util.Arrays;

/** The address of an account: an encoded key, and the rule whose shape the account has. Immutable. */
final class AccountAddress {
    final String counter;
    final byte[] key;
    final int hash;
    final Rule rule;

    /** Creates the address of a charge's account, from the encoded key of the charge. */
    AccountAddress(Charge charge, byte[] key) {
        this.counter = charge.key().counter();
        this.key = key;
        this.hash = KeyEncoding.hash(key, counter.hashCode());
        this.rule = charge.limit().rule();
    }

    static AccountAddress[] all(Ask ask) {
        AccountAddress[] all = new AccountAddress[ask.size()];
        for (int i = 0; i < all.length; i++) {
            Charge charge = ask.charge(i);
            all[i] = new AccountAddress(charge, charge.key().bytes());
        }
        return all;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof AccountAddress that && isSameAs(that);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    boolean isSameAs(AccountAddress other) {
        return hash == other.hash
                && (rule == other.rule || rule.shape().equals(other.rule.shape()))
                && counter.equals(other.counter)
                && Arrays.equals(key, other.key);
    }
}
