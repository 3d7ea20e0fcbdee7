package dev.penstock.server.internal.fields;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** Any text in printable ASCII, which is all that header fields can carry; no two texts become one. */
final class PrintableText {
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private PrintableText() {}

    /** The text, with the bytes of {@code %}, of {@code also} and of all that is not printable ASCII as {@code %E4}. */
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

    /** In UTF-8; half of a pair by itself, which UTF-8 has no form for, as the bytes that it would have. */
    private static byte[] bytes(int c) {
        return Character.isBmpCodePoint(c) && Character.isSurrogate((char) c)
                ? new byte[] {(byte) (0xe0 | (c >> 12)), (byte) (0x80 | (c >> 6 & 0x3f)), (byte) (0x80 | (c & 0x3f))}
                : Character.toString(c).getBytes(StandardCharsets.UTF_8);
    }
}
