package dev.penstock.bench.load;

import java.nio.charset.StandardCharsets;

/**
 * Creates keys as a server receives them: a new string per request, whose hash is not yet computed.
 *
 * <p>Not thread-safe: all keys are made in the same byte array.
 */
public final class BenchKeyText {
    private final byte[] text;
    private final int prefixLength;

    /** Creates keys like {@code user-0000042}. */
    public BenchKeyText(String prefix, int digits) {
        prefixLength = prefix.length();
        text = (prefix + "0".repeat(digits)).getBytes(StandardCharsets.US_ASCII);
    }

    public String of(int number) {
        int rest = number;
        for (int i = text.length - 1; i >= prefixLength; i--) {
            int next = rest / 10;
            text[i] = (byte) ('0' + (rest - next * 10));
            rest = next;
        }
        return new String(text, StandardCharsets.ISO_8859_1);
    }
}
