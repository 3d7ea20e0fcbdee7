package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A token that callers must present. It is never shown: not in errors, not in logs, not by {@link #toString}.
 *
 * @param text visible characters only, so that it can be sent in a header unchanged
 */
public record Secret(String text) {
    /** The minimum length in characters, so that guessing takes too long. */
    public static final int SHORTEST = 16;

    public static final int LONGEST = 1024;

    /** The form of a valid token, for error messages. */
    public static final String EXPECTED = SHORTEST + " to " + LONGEST + " visible ASCII characters, without spaces";

    public Secret {
        Expect.that(isFine(Expect.present(text, "secret")), "secret", "the given value", EXPECTED);
    }

    /** Returns true if the text can be a token. */
    public static boolean isFine(String text) {
        return text.length() >= SHORTEST
                && text.length() <= LONGEST
                && text.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    /**
     * Returns the hash by which tokens are compared. The time that comparing hashes takes reveals nothing about the
     * tokens.
     */
    static ByteBuffer hash(String text) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    @Override
    public String toString() {
        return "hidden";
    }
}
