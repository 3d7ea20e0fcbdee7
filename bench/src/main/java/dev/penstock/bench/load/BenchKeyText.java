package dev.penstock.bench.load;

import java.nio.charset.StandardCharsets;

/**
 * Makes the keys of a set, as a server has them: a new string for every request, whose hash nobody has computed yet.
 *
 * <p>Not thread-safe: the bytes are written over for every key.
 */
public final class BenchKeyText {
    private final byte[] text;
    private final int prefixLength;

    /** Keys like {@code user-0000042}. */
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
