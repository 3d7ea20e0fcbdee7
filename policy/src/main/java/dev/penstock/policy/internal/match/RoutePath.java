package dev.penstock.policy.internal.match;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** Paths in one spelling: nobody gets around a limit by writing the same path in another way. */
final class RoutePath {
    private RoutePath() {}

    /**
     * The path without query, empty segments, dots, trailing slash, and with every {@code %xx} resolved but that of a
     * slash. One that is in order already is answered as it is.
     */
    static String inOrder(String path) {
        return isInOrder(path) ? path : putInOrder(path);
    }

    private static boolean isInOrder(String path) {
        int length = path.length();
        if (length == 0 || path.charAt(0) != '/') {
            return false;
        }
        char before = 0;
        for (int i = 0; i < length; i++) {
            char c = path.charAt(i);
            boolean odd = c == '%' || c == '?' || c == '#' || c == ';' || c == '\\';
            if (odd || (before == '/' && (c == '/' || c == '.'))) {
                return false;
            }
            before = c;
        }
        return length == 1 || before != '/';
    }

    private static String putInOrder(String path) {
        Deque<String> segments = new ArrayDeque<>();
        for (String raw : withoutQuery(path).replace('\\', '/').split("/", -1)) {
            String segment = decoded(withoutParameters(raw));
            if (segment.equals("..")) {
                segments.pollLast();
            } else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.addLast(segment);
            }
        }
        if (segments.isEmpty()) {
            return "/";
        }
        StringBuilder text = new StringBuilder(path.length());
        for (Iterator<String> it = segments.iterator(); it.hasNext(); ) {
            text.append('/').append(it.next());
        }
        return text.toString();
    }

    private static String withoutQuery(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '?' || path.charAt(i) == '#') {
                return path.substring(0, i);
            }
        }
        return path;
    }

    /** Without {@code ;jsessionid=...}, which servers leave out too. */
    private static String withoutParameters(String segment) {
        int at = segment.indexOf(';');
        return at < 0 ? segment : segment.substring(0, at);
    }

    private static String decoded(String segment) {
        if (segment.indexOf('%') < 0) {
            return segment;
        }
        byte[] bytes = segment.getBytes(StandardCharsets.UTF_8);
        byte[] out = new byte[bytes.length];
        int length = 0;
        for (int i = 0; i < bytes.length; i++) {
            int value = bytes[i] == '%' && i + 2 < bytes.length ? hex(bytes[i + 1], bytes[i + 2]) : -1;
            boolean resolved = value >= 0 && value != '/' && value != '\\';
            out[length++] = resolved ? (byte) value : bytes[i];
            i += resolved ? 2 : 0;
        }
        return new String(out, 0, length, StandardCharsets.UTF_8);
    }

    private static int hex(byte high, byte low) {
        int first = Character.digit(high, 16);
        int second = Character.digit(low, 16);
        return first < 0 || second < 0 ? -1 : first << 4 | second;
    }
}
