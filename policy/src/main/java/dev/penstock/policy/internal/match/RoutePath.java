package dev.penstock.policy.internal.match;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.Iterator;

/** Normalizes paths, so that nobody can evade a limit by spelling the same path differently. */
final class RoutePath {
    /** Characters that would change the path's meaning if decoded. They stay {@code %XX}. */
    private static final String KEPT = "/\\?#;%";

    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private RoutePath() {}

    /**
     * Returns the path without query, empty segments, dots and trailing slash, and with every {@code %xx} decoded
     * except those that would then change the meaning. A path that is already normalized is returned as it is.
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
        for (String raw :
                withoutQuery(withoutAuthority(path)).replace('\\', '/').split("/", -1)) {
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

    /** Returns the path of {@code http://host/path}, a form that request lines may have. */
    private static String withoutAuthority(String path) {
        int colon = path.indexOf("://");
        boolean absolute = colon > 0 && path.substring(0, colon).chars().allMatch(Character::isLetterOrDigit);
        if (!absolute) {
            return path;
        }
        int slash = path.indexOf('/', colon + 3);
        return slash < 0 ? "/" : path.substring(slash);
    }

    private static String withoutQuery(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (path.charAt(i) == '?' || path.charAt(i) == '#') {
                return path.substring(0, i);
            }
        }
        return path;
    }

    /** Removes {@code ;jsessionid=...}, as servers do. */
    private static String withoutParameters(String segment) {
        int at = segment.indexOf(';');
        return at < 0 ? segment : segment.substring(0, at);
    }

    private static String decoded(String segment) {
        if (segment.indexOf('%') < 0) {
            return segment;
        }
        byte[] bytes = segment.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            int value = bytes[i] == '%' && i + 2 < bytes.length ? hex(bytes[i + 1], bytes[i + 2]) : -1;
            int resolved = value < 0 ? bytes[i] : value;
            if (KEPT.indexOf(resolved) < 0) {
                out.write(resolved);
            } else {
                out.writeBytes(("%" + HEX.toHexDigits((byte) resolved)).getBytes(StandardCharsets.US_ASCII));
            }
            i += value < 0 ? 0 : 2;
        }
        return out.toString(StandardCharsets.UTF_8);
    }

    private static int hex(byte high, byte low) {
        int first = Character.digit(high, 16);
        int second = Character.digit(low, 16);
        return first < 0 || second < 0 ? -1 : first << 4 | second;
    }
}
