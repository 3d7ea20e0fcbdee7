package dev.penstock.spi;

import dev.penstock.internal.Expect;

/**
 * The version of a set of policies. Immutable.
 *
 * @param number counts the versions that a process has loaded, from 1
 * @param hash a hash of the contents, equal in every process that loaded the same contents
 */
public record PolicyVersion(long number, String hash) {
    public PolicyVersion {
        Expect.positive(number, "number");
        Expect.text(hash, "hash");
    }
}
