package dev.penstock.internal;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.penstock.spi.Key;
import java.io.ByteArrayOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The encoding of a {@link Key}'s values into bytes, its inverse, and its hash.
 *
 * <p>A single value is encoded as its own text in UTF-8, where an unpaired surrogate takes three bytes. Everything else
 * begins with {@link #MARK}: the SHA-256 of a value that is too long or that itself begins with the mark, or a list, in
 * which the length of each value precedes it. So two different lists never have the same encoding, and the usual key is
 * no longer than its text. Stateless except for the secret numbers of the process's hash. Thread-safe.
 */
public final class KeyEncoding {
    private static final byte MARK = 1;
    private static final byte DIGEST = 'h';
    private static final byte LIST = 'l';
    private static final int MISSING = 0xff;

    /** The prefix of a digest in text form. */
    private static final String TOLD = "sha256:";

    private static final Pattern TOLD_DIGEST = Pattern.compile(TOLD + "[A-Za-z0-9_-]{43}");

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long ONES = 0x0101010101010101L;
    private static final KeyHash HASH = KeyHash.random(new SecureRandom());

    private KeyEncoding() {}

    public static byte[] encode(String value) {
        byte[] bytes = value.getBytes(ISO_8859_1); // usually a plain copy; wider characters become question marks
        return isPlain(bytes) ? bytes : encodeAny(value);
    }

    private static byte[] encodeAny(String value) {
        byte[] bytes = wide(value);
        return bytes.length > Key.LONGEST_VALUE || bytes[0] == MARK ? digest(bytes) : bytes;
    }

    /** Returns the text, or {@code sha256:...} with its digest if it is too long to be kept. */
    public static String shortened(String text) {
        return text.length() <= Key.LONGEST_VALUE ? text : decode(encode(text)).get(0);
    }

    public static byte[] encode(List<@Nullable String> values) {
        return encode(values, KeyEncoding::encode);
    }

    /**
     * Encodes values in the form that {@link #decodeOrNull} returns, in which a digest represents the value that it was
     * computed from.
     */
    public static byte[] encodeShortened(List<@Nullable String> values) {
        return encode(values, KeyEncoding::encodeShortened);
    }

    private static byte[] encodeShortened(String value) {
        return TOLD_DIGEST.matcher(value).matches()
                ? marked(DIGEST, value.substring(TOLD.length()).getBytes(US_ASCII))
                : encode(value);
    }

    private static byte[] encode(List<@Nullable String> values, Function<String, byte[]> encoding) {
        String only = values.size() == 1 ? values.get(0) : null;
        if (only != null) {
            return encoding.apply(only);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(16 + 16 * values.size());
        out.write(MARK);
        out.write(LIST);
        for (String value : values) {
            if (value == null) {
                out.write(MISSING);
            } else {
                byte[] bytes = encoding.apply(value);
                out.write(bytes.length); // at most LONGEST_VALUE, so one byte
                out.write(bytes, 0, bytes.length);
            }
        }
        return out.toByteArray();
    }

    /** Returns the values, with the text {@code null} for a missing one. */
    public static List<String> decode(byte[] bytes) {
        List<String> values = new ArrayList<>();
        decodeOrNull(bytes).forEach(value -> values.add(String.valueOf(value)));
        return values;
    }

    /** Returns the values, with null for a missing one. */
    public static List<@Nullable String> decodeOrNull(byte[] bytes) {
        if (bytes.length == 0 || bytes[0] != MARK || bytes[1] == DIGEST) {
            return List.of(decodeOne(bytes, 0, bytes.length));
        }
        List<@Nullable String> values = new ArrayList<>();
        for (int at = 2; at < bytes.length; at++) {
            int length = bytes[at] & 0xff;
            if (length == MISSING) {
                values.add(null);
            } else {
                values.add(decodeOne(bytes, at + 1, length));
                at += length;
            }
        }
        return values;
    }

    /** Returns true if at least one value is missing. */
    public static boolean lacksValue(byte[] bytes) {
        if (bytes.length < 2 || bytes[0] != MARK || bytes[1] == DIGEST) {
            return false;
        }
        for (int at = 2; at < bytes.length; at += 1 + (bytes[at] & 0xff)) {
            if ((bytes[at] & 0xff) == MISSING) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the values in readable form. Stores also use it to name accounts, so no two different lists have the same
     * form.
     *
     * <p>In one value, every byte except letters, digits and {@code -._/@} is written as {@code %XX}. The values of a
     * list are separated by colons. A {@code ~} begins everything that is not a text: a digest, a missing value, or a
     * list without values.
     */
    public static String readable(byte[] bytes) {
        if (isReadable(bytes)) {
            return new String(bytes, ISO_8859_1);
        }
        StringBuilder text = new StringBuilder(bytes.length + 8);
        if (bytes.length == 0 || bytes[0] != MARK || bytes[1] == DIGEST) {
            appendReadable(text, bytes, 0, bytes.length);
            return text.toString();
        }
        if (bytes.length == 2) {
            return "~all";
        }
        for (int at = 2; at < bytes.length; at++) {
            if (at > 2) {
                text.append(':');
            }
            int length = bytes[at] & 0xff;
            if (length == MISSING) {
                text.append('~');
            } else {
                appendReadable(text, bytes, at + 1, length);
                at += length;
            }
        }
        return text.toString();
    }

    private static boolean isReadable(byte[] bytes) {
        for (byte each : bytes) {
            if (!isReadable(each)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isReadable(int b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '-' && b <= '9') || b == '_' || b == '@';
    }

    private static void appendReadable(StringBuilder text, byte[] bytes, int from, int length) {
        int end = from + length;
        int at = from;
        if (length >= 2 && bytes[from] == MARK && bytes[from + 1] == DIGEST) {
            text.append('~');
            at += 2;
        }
        for (; at < end; at++) {
            int b = bytes[at] & 0xff;
            if (isReadable(b)) {
                text.append((char) b);
            } else {
                text.append('%')
                        .append(Character.toUpperCase(Character.forDigit(b >> 4, 16)))
                        .append(Character.toUpperCase(Character.forDigit(b & 15, 16)));
            }
        }
    }

    /** Returns the hash of an encoded key in this process. */
    public static int hash(byte[] bytes, int counterHash) {
        return HASH.of(bytes, counterHash);
    }

    /** Returns true only if these are the bytes of a short ASCII text without mark, question marks and accents. */
    private static boolean isPlain(byte[] bytes) {
        boolean plain = isPlain(KeyHash.lastEight(bytes));
        if (bytes.length > 8) {
            plain &= isPlain((long) LONGS.get(bytes, 0));
        }
        if (bytes.length > 16) {
            plain &= bytes.length <= Key.LONGEST_VALUE && isMiddlePlain(bytes);
        }
        return plain && (bytes.length == 0 || bytes[0] != MARK);
    }

    private static boolean isMiddlePlain(byte[] bytes) {
        for (int at = 8; at < bytes.length - 8; at += 8) {
            if (!isPlain((long) LONGS.get(bytes, at))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether the eight bytes contain no question mark and no high bit. A question mark leaves a zero byte in
     * the difference, and only a zero byte borrows.
     */
    private static boolean isPlain(long eight) {
        long difference = eight ^ (ONES * '?');
        return ((((difference - ONES) & ~difference) | eight) & (ONES << 7)) == 0;
    }

    /**
     * Combines both halves of the unsigned product. The halves of the signed product would be nearly the same for x and
     * -x, whatever y is.
     */
    private static byte[] digest(byte[] value) {
        return marked(DIGEST, Base64.getUrlEncoder().withoutPadding().encode(sha256(value)));
    }

    private static byte[] marked(byte kind, byte[] rest) {
        byte[] bytes = new byte[2 + rest.length];
        bytes[0] = MARK;
        bytes[1] = kind;
        System.arraycopy(rest, 0, bytes, 2, rest.length);
        return bytes;
    }

    /**
     * Returns the UTF-8 encoding of any sequence of chars. An unpaired surrogate is encoded on its own, so nothing is
     * lost.
     */
    private static byte[] wide(String value) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(value.length() + 16);
        for (int i = 0; i < value.length(); ) {
            int point = value.codePointAt(i);
            i += Character.charCount(point);
            if (point < 0x80) {
                out.write(point);
            } else if (point < 0x800) {
                out.write(0xC0 | (point >> 6));
                out.write(0x80 | (point & 0x3F));
            } else if (point < 0x10000) {
                out.write(0xE0 | (point >> 12));
                out.write(0x80 | ((point >> 6) & 0x3F));
                out.write(0x80 | (point & 0x3F));
            } else {
                out.write(0xF0 | (point >> 18));
                out.write(0x80 | ((point >> 12) & 0x3F));
                out.write(0x80 | ((point >> 6) & 0x3F));
                out.write(0x80 | (point & 0x3F));
            }
        }
        return out.toByteArray();
    }

    private static String decodeOne(byte[] bytes, int from, int length) {
        if (length >= 2 && bytes[from] == MARK && bytes[from + 1] == DIGEST) {
            return TOLD + new String(bytes, from + 2, length - 2, US_ASCII);
        }
        StringBuilder text = new StringBuilder(length);
        int end = from + length;
        for (int i = from; i < end; ) {
            int lead = bytes[i] & 0xff;
            int more = lead < 0x80 ? 0 : lead < 0xE0 ? 1 : lead < 0xF0 ? 2 : 3;
            int point = more == 0 ? lead : lead & (0x3F >> more);
            for (int k = 1; k <= more; k++) {
                point = (point << 6) | (bytes[i + k] & 0x3F);
            }
            text.appendCodePoint(point);
            i += 1 + more;
        }
        return text.toString();
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
