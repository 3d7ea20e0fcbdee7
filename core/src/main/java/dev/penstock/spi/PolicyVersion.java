package dev.penstock.spi;

import dev.penstock.internal.Expect;

/**
 * Which version of a set of policies decided.
 *
 * @param number counts the versions that a process has loaded, from 1
 * @param hash of what was loaded: the same in every process that loaded the same
 */
public record PolicyVersion(long number, String hash) {
    public PolicyVersion {
        Expect.positive(number, "number");
        Expect.text(hash, "hash");
    }
}
