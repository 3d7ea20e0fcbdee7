package dev.penstock.spi;

import dev.penstock.internal.Expect;
import dev.penstock.internal.KeyEncoding;
import org.jspecify.annotations.Nullable;

/**
 * A name that the caller gives a request so that repeating the request does not charge twice. See {@link
 * Ask#id(IdempotencyKey)}. Immutable. Engines remember many of these keys, so a text of more than {@value
 * Key#LONGEST_VALUE} characters is replaced by its SHA-256.
 *
 * @param text chosen by the caller, for example one per retried operation; never chosen by the caller's clients
 * @param fingerprint distinguishes requests under the same name, for example a digest of the request; null if their
 *     charges distinguish them
 */
public record IdempotencyKey(String text, @Nullable String fingerprint) {
    public IdempotencyKey {
        text = KeyEncoding.shortened(Expect.text(text, "id"));
        if (fingerprint != null) {
            fingerprint = KeyEncoding.shortened(Expect.text(fingerprint, "fingerprint"));
        }
    }

    /** Returns a key whose requests are distinguished by their charges. */
    public static IdempotencyKey of(String text) {
        return new IdempotencyKey(text, null);
    }
}
