package dev.penstock.policy.address;

import org.jspecify.annotations.Nullable;

/**
 * Reads an address as proxies and callers write it: {@code 192.0.2.7}, {@code 192.0.2.7:4711},
 * {@code [2001:db8::7]:4711}, {@code fe80::7%eth0}.
 */
public final class AddressText {
    private static final int LONGEST_PORT = 5;

    private AddressText() {}

    /**
     * Returns the address without port and zone; null if the text is not an address, such as {@code unknown} and
     * {@code _hidden}.
     */
    public static @Nullable IpAddress address(String text) {
        if (text.startsWith("[")) {
            return inBrackets(text);
        }
        int colon = text.indexOf(':');
        if (colon < 0) {
            return IpAddress.parse(text);
        }
        if (colon == text.lastIndexOf(':')) {
            return isPort(text, colon + 1) ? IpAddress.parse(text.substring(0, colon)) : null;
        }
        return withoutZone(text);
    }

    private static @Nullable IpAddress inBrackets(String text) {
        int close = text.indexOf(']');
        if (close < 0 || text.indexOf(':') > close) {
            return null;
        }
        boolean ends = close == text.length() - 1;
        boolean port = !ends && text.charAt(close + 1) == ':' && isPort(text, close + 2);
        return ends || port ? withoutZone(text.substring(1, close)) : null;
    }

    private static @Nullable IpAddress withoutZone(String v6) {
        int zone = v6.indexOf('%');
        boolean emptyZone = zone == v6.length() - 1;
        String address = zone < 0 ? v6 : v6.substring(0, zone);
        return emptyZone || address.indexOf(':') < 0 ? null : IpAddress.parse(address);
    }

    /** Returns true for a port number or an obfuscated port of RFC 7239: {@code _x}. */
    private static boolean isPort(String text, int from) {
        int length = text.length() - from;
        if (length > 1 && text.charAt(from) == '_') {
            return text.chars().skip(from).allMatch(AddressText::isHidden);
        }
        return length > 0 && length <= LONGEST_PORT && text.chars().skip(from).allMatch(c -> c >= '0' && c <= '9');
    }

    private static boolean isHidden(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "._-".indexOf(c) >= 0;
    }
}
