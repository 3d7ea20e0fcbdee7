package dev.penstock.spi;

import dev.penstock.internal.Expect;
import dev.penstock.internal.KeyEncoding;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who is counted: a counter's name and attribute values, in an encoding that no two different lists share.
 *
 * <p>Immutable. Values of any length and any characters are accepted, unpaired surrogates included; a value longer than
 * {@value #LONGEST_VALUE} bytes is replaced by its SHA-256. {@link #toString} shows the counter and a fingerprint, never
 * a value. The hash code is seeded anew in every process, so that nobody can choose values that collide.
 */
public final class Key {
    /** Values with more bytes than this are kept as their SHA-256. */
    public static final int LONGEST_VALUE = 128;

    private static final byte[] NOT_ENCODED = {};

    private final String counter;

    /** The usual key's only value, encoded when an engine asks for it; one that is too long is encoded at once. */
    private final @Nullable String value;

    private final byte[] bytes;

    /** A key of one value; both are known to be there. */
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

    /** The key of one value, the usual case. */
    public static Key of(String counter, String value) {
        return new Key(Expect.text(counter, "counter"), Expect.present(value, "value"));
    }

    /** The key of several values, or of none (everyone together); null is a value that is not there, equal only to itself. */
    public static Key of(String counter, List<@Nullable String> values) {
        Expect.text(counter, "counter");
        return new Key(counter, KeyEncoding.encode(Expect.present(values, "values")));
    }

    /**
     * The key whose {@link #valuesOrNull} tells these values: {@code sha256:...} stands for the longer value that it was told of. A
     * value may also be such a text itself; then this is another key than {@link #of(String, List) that of the text}.
     */
    public static Key told(String counter, List<@Nullable String> values) {
        Expect.text(counter, "counter");
        return new Key(counter, KeyEncoding.encodeTold(Expect.present(values, "values")));
    }

    /** The key of values that are {@linkplain #bytes encoded} already. */
    public static Key encoded(String counter, byte[] bytes) {
        Expect.text(counter, "counter");
        return new Key(counter, Expect.present(bytes, "bytes").clone());
    }

    public String counter() {
        return counter;
    }

    /** The values as they were given; one that was too long reads {@code sha256:...}, a missing one {@code null}. */
    public List<String> values() {
        return KeyEncoding.decode(bytes());
    }

    /** The same, but null for a missing one. */
    public List<@Nullable String> valuesOrNull() {
        return KeyEncoding.decodeOrNull(bytes());
    }

    /** The encoded values. Not to be written to. */
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
