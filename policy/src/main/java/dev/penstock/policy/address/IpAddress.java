package dev.penstock.policy.address;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * An IPv4 or IPv6 address as 128 bits. IPv4 is stored as {@code ::ffff:a.b.c.d}, so that both notations of an address
 * are equal.
 *
 * <p>It has its own parser, because the JDK's parser asks DNS about any text that does not look like an address.
 */
public record IpAddress(long high, long low) implements Comparable<IpAddress> {
    private static final long V4_MARK = 0xffffL << 32;
    private static final int GROUPS = 8;

    /** Parses an address; null if the text is not one. Zones and ports are rejected. */
    public static @Nullable IpAddress parse(String text) {
        if (text.length() < 2 || text.length() > 45) {
            return null;
        }
        if (text.indexOf(':') < 0) {
            long v4 = v4(text, 0);
            return v4 < 0 ? null : new IpAddress(0, V4_MARK | v4);
        }
        return v6(text);
    }

    /** Converts an address of the JDK. Drops its zone. */
    public static IpAddress of(InetAddress address) {
        ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
        return bytes.capacity() == 4
                ? new IpAddress(0, V4_MARK | Integer.toUnsignedLong(bytes.getInt()))
                : new IpAddress(bytes.getLong(), bytes.getLong());
    }

    /** Returns true for an IPv4 address, including one that is mapped into IPv6. */
    public boolean isV4() {
        return high == 0 && low >>> 32 == 0xffff;
    }

    /** Parses the dotted quad that begins at {@code from} and extends to the end of the text; -1 if it is not one. */
    private static long v4(String text, int from) {
        long value = 0;
        int part = -1;
        int parts = 0;
        int digits = 0;
        for (int i = from; i <= text.length(); i++) {
            char c = i < text.length() ? text.charAt(i) : '.';
            if (c == '.') {
                if (digits == 0 || parts == 4) {
                    return -1;
                }
                value = value << 8 | part;
                parts++;
                digits = 0;
                part = -1;
            } else if (c >= '0' && c <= '9') {
                boolean leadingZero = digits > 0 && part == 0;
                part = digits == 0 ? c - '0' : part * 10 + (c - '0');
                digits++;
                if (part > 255 || leadingZero) {
                    return -1;
                }
            } else {
                return -1;
            }
        }
        return parts == 4 ? value : -1;
    }

    private static @Nullable IpAddress v6(String text) {
        int[] groups = new int[GROUPS];
        int count = 0;
        int gapAt = -1;
        int i = 0;
        if (text.startsWith("::")) {
            gapAt = 0;
            i = 2;
        }
        while (i < text.length()) {
            int end = text.indexOf(':', i);
            if (end < 0 && text.indexOf('.', i) >= 0) {
                long v4 = v4(text, i);
                if (v4 < 0 || count > GROUPS - 2) {
                    return null;
                }
                groups[count++] = (int) (v4 >>> 16);
                groups[count++] = (int) (v4 & 0xffff);
                break;
            }
            int group = group(text, i, end < 0 ? text.length() : end);
            if (group < 0 || count == GROUPS) {
                return null;
            }
            groups[count++] = group;
            if (end < 0) {
                break;
            }
            i = end + 1;
            if (i == text.length()) {
                return null; // a single colon at the end
            }
            if (text.charAt(i) == ':') {
                if (gapAt >= 0) {
                    return null;
                }
                gapAt = count;
                i++;
            }
        }
        if (gapAt < 0 ? count != GROUPS : count == GROUPS) {
            return null;
        }
        return of(groups, count, gapAt);
    }

    private static int group(String text, int from, int to) {
        if (to == from || to - from > 4) {
            return -1;
        }
        int value = 0;
        for (int i = from; i < to; i++) {
            int digit = Character.digit(text.charAt(i), 16);
            if (digit < 0 || text.charAt(i) > 'f') {
                return -1;
            }
            value = value << 4 | digit;
        }
        return value;
    }

    private static IpAddress of(int[] groups, int count, int gapAt) {
        long high = 0;
        long low = 0;
        int missing = GROUPS - count;
        for (int at = 0; at < GROUPS; at++) {
            boolean inGap = gapAt >= 0 && at >= gapAt && at < gapAt + missing;
            int from = gapAt >= 0 && at >= gapAt + missing ? at - missing : at;
            long group = inGap ? 0 : groups[from];
            if (at < 4) {
                high = high << 16 | group;
            } else {
                low = low << 16 | group;
            }
        }
        return new IpAddress(high, low);
    }

    /** Returns the first address of the network with this prefix length. IPv4 prefixes have up to 32 bits. */
    public IpAddress network(int bits) {
        int wide = isV4() ? bits + 96 : bits;
        return new IpAddress(high & mask(wide), low & mask(wide - 64));
    }

    /** Returns the last address of the network with this prefix length. */
    IpAddress lastOf(int bits) {
        int wide = isV4() ? bits + 96 : bits;
        return new IpAddress(high | ~mask(wide), low | ~mask(wide - 64));
    }

    private static long mask(int bits) {
        return bits <= 0 ? 0 : bits >= 64 ? -1L : -1L << (64 - bits);
    }

    @Override
    public int compareTo(IpAddress other) {
        int compared = Long.compareUnsigned(high, other.high);
        return compared != 0 ? compared : Long.compareUnsigned(low, other.low);
    }

    /** Returns true if this address is not above the other one. */
    public boolean isAtMost(IpAddress other) {
        return compareTo(other) <= 0;
    }

    /** Returns the notation of RFC 5952. */
    @Override
    public String toString() {
        if (isV4()) {
            return (low >>> 24 & 255) + "." + (low >>> 16 & 255) + "." + (low >>> 8 & 255) + "." + (low & 255);
        }
        int gapAt = -1;
        int gap = 1;
        for (int at = 0; at < GROUPS; at++) {
            int zeros = 0;
            while (at + zeros < GROUPS && group(at + zeros) == 0) {
                zeros++;
            }
            if (zeros > gap) {
                gapAt = at;
                gap = zeros;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < GROUPS; at++) {
            if (at == gapAt) {
                text.append("::");
                at += gap - 1;
                continue;
            }
            if (!text.isEmpty() && text.charAt(text.length() - 1) != ':') {
                text.append(':');
            }
            text.append(Long.toHexString(group(at)));
        }
        return text.toString();
    }

    private long group(int at) {
        return (at < 4 ? high >>> (48 - 16 * at) : low >>> (48 - 16 * (at - 4))) & 0xffff;
    }
}
