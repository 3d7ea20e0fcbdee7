package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.match.KeyedHash;
import dev.penstock.policy.internal.yaml.Field;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The attributes that are secret, and the hash that replaces their values.
 *
 * @param isDeclared true if a file defines where the hash's key comes from, even if the key is not available
 */
record Secrecy(
        Set<String> attributes,
        boolean isDeclared,
        @Nullable KeyedHash hash) {
    private static final String EXPECTED =
            "hash_key at the top of a file, such as hash_key: { env: PENSTOCK_HASH_KEY }, because this is hashed";

    boolean isSecret(String attribute) {
        return attributes.contains(attribute);
    }

    /** Returns the hash. Reports an error at the field that needs it if no key is declared. */
    @Nullable
    KeyedHash hashFor(Field wanted) {
        if (hash == null && !isDeclared) {
            wanted.report("no hash_key (expected: " + EXPECTED + ")");
        }
        return hash;
    }
}
