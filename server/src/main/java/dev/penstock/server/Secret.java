package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * A token that callers have to know. Never shown: not in errors, logs or {@link #toString}.
 *
 * @param text of visible characters, so that it passes in a header as it is
 */
public record Secret(String text) {
    /** What takes too long to guess, in characters. */
    public static final int SHORTEST = 16;

    public static final int LONGEST = 1024;

    /** What a text has to be. */
    public static final String EXPECTED = SHORTEST + " to " + LONGEST + " visible characters of ASCII, without spaces";

    public Secret {
        Expect.that(isFine(Expect.present(text, "secret")), "secret", "what was given", EXPECTED);
    }

    /** Whether it can be one. */
    public static boolean isFine(String text) {
        return text.length() >= SHORTEST
                && text.length() <= LONGEST
                && text.chars().allMatch(c -> c > ' ' && c <= '~');
    }

    /** What tokens are compared by: the time that a comparison of hashes takes tells nothing of what they are of. */
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
