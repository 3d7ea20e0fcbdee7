package dev.penstock.policy.internal.select;

import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.address.IpAddress;
import dev.penstock.policy.internal.match.KeyedHash;
import dev.penstock.policy.internal.match.Subject;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An attribute that a limit counts by, and how its value is spelled in the key. The route is not one: see
 * {@link Routes}.
 *
 * @param written the policy's spelling: {@code ip/24}
 * @param v4Bits the prefix length by which IPv4 addresses are counted; only for {@code ip}
 * @param v6Bits the prefix length by which IPv6 addresses are counted; only for {@code ip}
 * @param hash replaces the value in the key; null if the key contains the value itself
 */
public record KeyPart(
        String attribute,
        String written,
        int v4Bits,
        int v6Bits,
        boolean lower,
        @Nullable KeyedHash hash) {
    public static final int WHOLE_V4 = 32;
    public static final int USUAL_V6 = 64;

    public static KeyPart of(String attribute, @Nullable KeyedHash hash) {
        return new KeyPart(attribute, attribute, WHOLE_V4, USUAL_V6, false, hash);
    }

    boolean isRoute() {
        return attribute.equals(AttributeNames.ROUTE);
    }

    /** Returns the value in the key; null if the request lacks the attribute. */
    @Nullable
    String value(Subject subject) {
        String value = subject.value(attribute);
        if (value == null) {
            return null;
        }
        if (attribute.equals(AttributeNames.IP)) {
            value = network(subject, value);
        }
        if (lower) {
            value = value.toLowerCase(Locale.ROOT);
        }
        return hash == null ? value : hash.of(value);
    }

    private String network(Subject subject, String value) {
        IpAddress address = subject.address(attribute);
        if (address == null) {
            return value;
        }
        int bits = address.isV4() ? v4Bits : v6Bits;
        boolean whole = bits == (address.isV4() ? WHOLE_V4 : 128);
        return whole ? address.toString() : address.network(bits) + "/" + bits;
    }
}
