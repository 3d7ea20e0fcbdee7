package dev.penstock.policy.internal.read;

import dev.penstock.policy.internal.match.KeyedHash;
import dev.penstock.policy.internal.yaml.Field;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which attributes are secret, and what stands for their values.
 *
 * @param isDeclared whether a file says where the hash's key comes from, even if it cannot be had
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

    /** The hash, noting where it is wanted and there is none. */
    @Nullable
    KeyedHash hashFor(Field wanted) {
        if (hash == null && !isDeclared) {
            wanted.report("no hash_key (expected: " + EXPECTED + ")");
        }
        return hash;
    }
}
