package dev.penstock.spi;

import dev.penstock.internal.Expect;
import dev.penstock.internal.KeyEncoding;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The key that is counted: a counter's name and attribute values. Different lists of values always have different
 * encodings.
 *
 * <p>Immutable. Values of any length and with any characters are accepted, including unpaired surrogates. A value
 * longer than {@value #LONGEST_VALUE} bytes is replaced by its SHA-256. {@link #toString} shows the counter and a
 * fingerprint, never a value. The hash code has a new seed in every process, so that nobody can choose values that
 * collide.
 */
public final class Key {
    /** Maximum length of a value in bytes. Longer values are replaced by their SHA-256. */
    public static final int LONGEST_VALUE = 128;

    private static final byte[] NOT_ENCODED = {};

    private final String counter;

    /**
     * The only value of an ordinary key, which is encoded when an engine needs it. A value that is too long is encoded
     * at once.
     */
    private final @Nullable String value;

    private final byte[] bytes;

    /** Creates a key of one value. Both arguments have been checked. */
    Key(String counter, String value) {
        boolean isShort = value.length() <= LONGEST_VALUE;
        this.counter = counter;
        this.value = isShort ? value : null;
        this.bytes = isShort ? NOT_ENCODED : KeyEncoding.encode(value);
    }

    private Key(String counter, byte[] bytes) {
        this.counter = counter;
        this.value = null;
        this.bytes = bytes;
    }

    /** Returns the key of one value, which is the usual case. */
    public static Key of(String counter, String value) {
        return new Key(Expect.text(counter, "counter"), Expect.present(value, "value"));
    }

    /**
     * Returns the key of several values, or of no values, which counts all requests together. Null represents a missing
     * value, which equals only another missing value.
     */
    public static Key of(String counter, List<@Nullable String> values) {
        Expect.text(counter, "counter");
        return new Key(counter, KeyEncoding.encode(Expect.present(values, "values")));
    }

    /**
     * Returns the key whose {@link #valuesOrNull} are these values. A value of the form {@code sha256:...} represents
     * the long value with that digest. To get the key of a real value that has this form, use {@link #of(String,
     * List)}.
     */
    public static Key ofShortened(String counter, List<@Nullable String> values) {
        Expect.text(counter, "counter");
        return new Key(counter, KeyEncoding.encodeShortened(Expect.present(values, "values")));
    }

    /** Returns the key of values that are already {@linkplain #bytes encoded}. */
    public static Key encoded(String counter, byte[] bytes) {
        Expect.text(counter, "counter");
        return new Key(counter, Expect.present(bytes, "bytes").clone());
    }

    /** Returns the counter's name. */
    public String counter() {
        return counter;
    }

    /** Returns the values as text. A long value reads {@code sha256:...}, a missing one {@code null}. */
    public List<String> values() {
        return KeyEncoding.decode(bytes());
    }

    /** Returns the values, with null for a missing one. */
    public List<@Nullable String> valuesOrNull() {
        return KeyEncoding.decodeOrNull(bytes());
    }

    /** Returns true if at least one value is missing. */
    public boolean lacksValue() {
        return value == null && KeyEncoding.lacksValue(bytes);
    }

    /** Returns the encoded values. Do not modify the array. */
    public byte[] bytes() {
        return value == null ? bytes : KeyEncoding.encode(value);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Key that && counter.equals(that.counter) && hasSameValues(that);
    }

    private boolean hasSameValues(Key that) {
        return (value == null || that.value == null) ? Arrays.equals(bytes(), that.bytes()) : value.equals(that.value);
    }

    @Override
    public int hashCode() {
        return KeyEncoding.hash(bytes(), counter.hashCode());
    }

    @Override
    public String toString() {
        return counter + "#" + HexFormat.of().toHexDigits(hashCode());
    }
}
