package dev.penstock.server.internal.fields;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Encodes any text as printable ASCII, which is all that header fields can carry. Different texts stay different. */
final class PrintableText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private PrintableText() {}

    /**
     * Returns the text with {@code %}, the characters of {@code also} and everything but printable ASCII encoded as
     * {@code %} and the hexadecimal digits of their bytes, as in {@code %E4}.
     */
    static String of(String text, String also) {
        for (int i = 0; i < text.length(); i++) {
            if (!isPlain(text.charAt(i), also)) {
                return escaped(text, also);
            }
        }
        return text;
    }

    private static boolean isPlain(char c, String also) {
        return c >= ' ' && c <= '~' && c != '%' && also.indexOf(c) < 0;
    }

    private static String escaped(String text, String also) {
        StringBuilder plain = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (c <= '~' && isPlain((char) c, also)) {
                plain.append((char) c);
            } else {
                for (byte part : bytes(c)) {
                    HEX.toHexDigits(plain.append('%'), part);
                }
            }
        });
        return plain.toString();
    }

    /**
     * Returns the character in UTF-8. A lone surrogate, which UTF-8 cannot encode, becomes the three bytes that its
     * code point would have.
     */
    private static byte[] bytes(int c) {
        return Character.isBmpCodePoint(c) && Character.isSurrogate((char) c)
                ? new byte[] {(byte) (0xe0 | (c >> 12)), (byte) (0x80 | (c >> 6 & 0x3f)), (byte) (0x80 | (c & 0x3f))}
                : Character.toString(c).getBytes(StandardCharsets.UTF_8);
    }
}
