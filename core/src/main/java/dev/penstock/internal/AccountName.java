package dev.penstock.internal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import java.util.Arrays;
import java.util.Set;

/**
 * Identifies the account of a store that a charge is made to: a key, and the shape of the state counted under it.
 * Immutable.
 */
public final class AccountName {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    /** A byte that never occurs in UTF-8. */
    private static final int SEPARATOR = 0xff;

    private final String counter;
    private final byte[] key;
    private final String shape;
    private final int hash;

    public AccountName(Charge charge) {
        this.counter = charge.key().counter();
        this.key = charge.key().bytes();
        this.shape = charge.limit().rule().shape();
        this.hash = 31 * KeyEncoding.hash(key, counter.hashCode()) + shape.hashCode();
    }

    /** Returns the accounts of an ask's charges, in their order. */
    public static AccountName[] all(Ask ask) {
        AccountName[] all = new AccountName[ask.size()];
        for (int i = 0; i < all.length; i++) {
            all[i] = new AccountName(ask.charge(i));
        }
        return all;
    }

    public boolean isOf(Set<String> counters) {
        return counters.contains(counter);
    }

    /** Returns a hash of the name that is the same in every process: 64 bits of FNV-1a. */
    public long fingerprint() {
        long hash64 = FNV_OFFSET;
        for (byte[] part : new byte[][] {counter.getBytes(UTF_8), shape.getBytes(UTF_8), key}) {
            for (byte each : part) {
                hash64 = (hash64 ^ (each & 0xff)) * FNV_PRIME;
            }
            hash64 = (hash64 ^ SEPARATOR) * FNV_PRIME;
        }
        return hash64;
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
