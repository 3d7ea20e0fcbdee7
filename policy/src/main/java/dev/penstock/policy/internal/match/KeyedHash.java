package dev.penstock.policy.internal.match;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Hides a secret value behind a hash: the first half of HMAC-SHA-256 under a key that all nodes share. */
public final class KeyedHash {
    /** The minimum length of a key, in bytes. */
    public static final int SHORTEST_KEY = 16;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEPT_BYTES = 16;

    private final Mac keyed;

    public KeyedHash(byte[] key) {
        try {
            keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(key, ALGORITHM));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    /** Returns 32 hexadecimal digits. */
    public String of(String value) {
        byte[] hash = copy().doFinal(value.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(Arrays.copyOf(hash, KEPT_BYTES));
    }

    /** Returns true if the text has the form of a hash. */
    public static boolean isHash(String text) {
        return text.length() == 2 * KEPT_BYTES
                && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }

    private Mac copy() {
        try {
            return (Mac) keyed.clone();
        } catch (CloneNotSupportedException e) {
            throw new IllegalStateException("the JDK's " + ALGORITHM + " can be cloned", e);
        }
    }
}
