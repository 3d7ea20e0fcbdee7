package dev.penstock.spi;

import dev.penstock.internal.Expect;
import dev.penstock.internal.KeyEncoding;
import org.jspecify.annotations.Nullable;

/**
 * A caller's own name of a request, under which asking again does not charge twice; see {@link Ask#id(IdempotencyKey)}. Engines
 * remember many of them, so a text of more than {@value Key#LONGEST_VALUE} characters is kept as its SHA-256.
 *
 * @param text the caller's own (of a retry, say), never something that its clients can choose for others
 * @param fingerprint what tells one request from another under the same name, such as a digest of it; null where the
 *     charges themselves do
 */
public record IdempotencyKey(String text, @Nullable String fingerprint) {
    public IdempotencyKey {
        text = KeyEncoding.shortened(Expect.text(text, "id"));
        if (fingerprint != null) {
            fingerprint = KeyEncoding.shortened(Expect.text(fingerprint, "fingerprint"));
        }
    }

    /** A name under which requests are told apart by their charges. */
    public static IdempotencyKey of(String text) {
        return new IdempotencyKey(text, null);
    }
}
