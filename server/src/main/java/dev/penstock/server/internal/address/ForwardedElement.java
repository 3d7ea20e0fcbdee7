package dev.penstock.server.internal.address;

import org.jspecify.annotations.Nullable;

/**
 * One hop of a {@code Forwarded} field (RFC 7239): {@code for="[2001:db8::7]:4711";proto=https}. Not thread-safe.
 *
 * <p>Unquoted values that should be quoted are accepted, because many proxies write addresses that way.
 */
final class ForwardedElement {
    private final String text;
    private int at;

    private ForwardedElement(String text) {
        this.text = text;
    }

    /** Returns the value of {@code for}, or null if it is missing, repeated or malformed. */
    static @Nullable String forWhom(String text) {
        return new ForwardedElement(text).read();
    }

    private @Nullable String read() {
        String found = null;
        for (skipBetweenPairs(); at < text.length(); skipBetweenPairs()) {
            int equals = text.indexOf('=', at);
            if (equals <= at || !isToken(at, equals)) {
                return null;
            }
            boolean isFor = equals - at == 3 && text.regionMatches(true, at, "for", 0, 3);
            at = equals + 1;
            String value = value();
            if (value == null || (isFor && found != null)) {
                return null;
            }
            found = isFor ? value : found;
        }
        return found;
    }

    private void skipBetweenPairs() {
        while (at < text.length() && (text.charAt(at) == ';' || ElementsFromEnd.isSpace(text.charAt(at)))) {
            at++;
        }
    }

    private @Nullable String value() {
        if (at < text.length() && text.charAt(at) == '"') {
            return quoted();
        }
        int semicolon = text.indexOf(';', at);
        int end = semicolon < 0 ? text.length() : semicolon;
        String value = ElementsFromEnd.trimmed(text, at, end);
        at = end;
        return value.isEmpty() || value.indexOf('"') >= 0 ? null : value;
    }

    /** Reads a quoted value. Returns null if the quotes are not closed, or if anything but the next pair follows. */
    private @Nullable String quoted() {
        StringBuilder value = new StringBuilder();
        for (at++; at < text.length() && text.charAt(at) != '"'; at++) {
            if (text.charAt(at) == '\\') {
                at++;
            }
            if (at < text.length()) {
                value.append(text.charAt(at));
            }
        }
        at++;
        boolean closed = at <= text.length();
        while (at < text.length() && ElementsFromEnd.isSpace(text.charAt(at))) {
            at++;
        }
        boolean ends = at >= text.length() || text.charAt(at) == ';';
        return closed && ends ? value.toString() : null;
    }

    private boolean isToken(int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            if (!letter && "!#$%&'*+-.^_`|~".indexOf(c) < 0) {
                return false;
            }
        }
        return true;
    }
}
