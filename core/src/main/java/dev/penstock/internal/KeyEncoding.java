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
 * <p>One value stands as its own text (UTF-8; an unpaired surrogate as three bytes, as a lone code point would be).
 * Everything else begins with {@link #MARK}: the SHA-256 of a value that is too long, or of one that itself begins with
 * the mark; or a list, each value with its length before it. So no two different lists meet, and the usual key costs no
 * more than its text. Stateless but for the process's seed; thread-safe.
 */
public final class KeyEncoding {
    private static final byte MARK = 1;
    private static final byte DIGEST = 'h';
    private static final byte LIST = 'l';
    private static final int MISSING = 0xff;

    /** How a digest is told. */
    private static final String TOLD = "sha256:";

    private static final Pattern TOLD_DIGEST = Pattern.compile(TOLD + "[A-Za-z0-9_-]{43}");

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final long SEED = RANDOM.nextLong();
    private static final long ONES = 0x0101010101010101L;
    private static final long SECRET_A = RANDOM.nextLong() | 1;
    private static final long SECRET_B = RANDOM.nextLong() | 1;

    private KeyEncoding() {}

    public static byte[] encode(String value) {
        byte[] bytes =
                value.getBytes(ISO_8859_1); // a mere copy of most strings, with a question mark for what is wider
        return isPlain(bytes) ? bytes : encodeAny(value);
    }

    private static byte[] encodeAny(String value) {
        byte[] bytes = wide(value);
        return bytes.length > Key.LONGEST_VALUE || bytes[0] == MARK ? digest(bytes) : bytes;
    }

    /** The text itself, or what stands for one that is too long to be kept: {@code sha256:...}. */
    public static String shortened(String text) {
        return text.length() <= Key.LONGEST_VALUE ? text : decode(encode(text)).get(0);
    }

    public static byte[] encode(List<@Nullable String> values) {
        return encode(values, KeyEncoding::encode);
    }

    /** The same of values as {@link #decodeOrNull} tells them: a digest stands for the value that it was told of. */
    public static byte[] encodeTold(List<@Nullable String> values) {
        return encode(values, KeyEncoding::encodeTold);
    }

    private static byte[] encodeTold(String value) {
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

    /** The values, a missing one as the text {@code null}. */
    public static List<String> decode(byte[] bytes) {
        List<String> values = new ArrayList<>();
        decodeOrNull(bytes).forEach(value -> values.add(String.valueOf(value)));
        return values;
    }

    /** The values; null for a missing one. */
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

    /**
     * The values for people to read, and for stores to name an account by: no two different lists read the same. One
     * value is its own text, with every byte but letters, digits and {@code -._/@} as {@code %XX}; values of a list are
     * parted by colons; {@code ~} begins what is no text: a digest, a missing value, or that there is no value at all.
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

    /** A seeded hash: eight bytes at a step, the last eight whether seen before or not, each folded through a product. */
    public static int hash(byte[] bytes, int counterHash) {
        long h = SEED ^ (counterHash * SECRET_A) ^ bytes.length;
        if (bytes.length > 16) {
            h = hashOfMiddle(bytes, h);
        }
        if (bytes.length > 8) {
            h = fold(h ^ (long) LONGS.get(bytes, 0), SECRET_A);
        }
        h = fold(h ^ lastEight(bytes), SECRET_B);
        return (int) (h ^ (h >>> 32));
    }

    private static long hashOfMiddle(byte[] bytes, long seed) {
        long h = seed;
        for (int at = 8; at < bytes.length - 8; at += 8) {
            h = fold(h ^ (long) LONGS.get(bytes, at), SECRET_A);
        }
        return h;
    }

    /** The last eight bytes as one number; where there are fewer, all of them. */
    private static long lastEight(byte[] bytes) {
        return bytes.length >= 8 ? (long) LONGS.get(bytes, bytes.length - 8) : packed(bytes);
    }

    private static long packed(byte[] few) {
        long all = 0;
        for (byte each : few) {
            all = (all << 8) | (each & 0xff);
        }
        return all;
    }

    /** Whether these are the bytes of a short ASCII text for certain: without mark, question mark and accents. */
    private static boolean isPlain(byte[] bytes) {
        boolean plain = isPlain(lastEight(bytes));
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

    /** Of eight bytes: no question mark, which would leave a zero byte, the only kind that borrows; and no high bit. */
    private static boolean isPlain(long eight) {
        long difference = eight ^ (ONES * '?');
        return ((((difference - ONES) & ~difference) | eight) & (ONES << 7)) == 0;
    }

    /** Both halves of the unsigned product; a signed one would be nearly the same for x and -x, whatever y is. */
    private static long fold(long x, long y) {
        long high = Math.multiplyHigh(x, y) + ((x >> 63) & y) + ((y >> 63) & x);
        return high ^ (x * y);
    }

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

    /** UTF-8 for any sequence of chars: what is not a pair of surrogates is encoded by itself, so nothing is lost. */
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
