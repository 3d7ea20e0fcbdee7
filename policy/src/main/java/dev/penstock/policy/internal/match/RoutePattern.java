package dev.penstock.policy.internal.match;

import dev.penstock.policy.text.Unexpected;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A pattern of paths: fixed texts, {@code {name}} or {@code *} for one segment, {@code **} at the end for any number
 * of segments.
 *
 * <p>The natural order puts more specific patterns first.
 */
public final class RoutePattern implements Comparable<RoutePattern> {
    /** The kinds of segments, the most specific first. */
    enum Kind {
        TEXT,
        ANY_ONE,
        ANY_REST
    }

    record Segment(Kind kind, String text) {}

    private static final Pattern NAMED = Pattern.compile("\\{[A-Za-z_][A-Za-z0-9_-]*}");
    private static final Pattern PLAIN = Pattern.compile("[^{}*?#;%\\\\\\s]+");

    private final String text;
    private final List<Segment> segments;

    private RoutePattern(String text, List<Segment> segments) {
        this.text = text;
        this.segments = segments;
    }

    public static RoutePattern parse(String text) throws Unexpected {
        if (!text.startsWith("/")) {
            throw new Unexpected("a path that begins with /, such as /api/reports/{id} or /api/**");
        }
        List<Segment> segments = new ArrayList<>();
        if (text.equals("/")) {
            return new RoutePattern(text, segments);
        }
        String[] parts = text.substring(1).split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            segments.add(segment(parts[i], i == parts.length - 1));
        }
        return new RoutePattern(text, List.copyOf(segments));
    }

    private static Segment segment(String part, boolean last) throws Unexpected {
        if (part.equals("**")) {
            if (!last) {
                throw new Unexpected("** only at the end");
            }
            return new Segment(Kind.ANY_REST, part);
        }
        if (part.equals("*") || NAMED.matcher(part).matches()) {
            return new Segment(Kind.ANY_ONE, part);
        }
        if (part.isEmpty()) {
            throw new Unexpected("a path without an empty segment: no // and no slash at the end");
        }
        if (part.equals(".") || part.equals("..") || !PLAIN.matcher(part).matches()) {
            throw new Unexpected("segments that are a text, {name}, * or, at the end, **");
        }
        return new Segment(Kind.TEXT, part);
    }

    List<Segment> segments() {
        return segments;
    }

    /** Returns true if it matches a {@linkplain RoutePath normalized} path. */
    boolean matches(String path) {
        int at = 1;
        for (Segment segment : segments) {
            if (segment.kind() == Kind.ANY_REST) {
                return true;
            }
            if (at >= path.length()) {
                return false;
            }
            int slash = path.indexOf('/', at);
            int end = slash < 0 ? path.length() : slash;
            String wanted = segment.text();
            if (segment.kind() == Kind.TEXT && !(wanted.length() == end - at && path.startsWith(wanted, at))) {
                return false;
            }
            at = end + 1;
        }
        return at >= path.length();
    }

    @Override
    public int compareTo(RoutePattern other) {
        int specific = compareSpecificity(other);
        return specific != 0 ? specific : text.compareTo(other.text);
    }

    /** Compares specificity only, ignoring names and texts. */
    public int compareSpecificity(RoutePattern other) {
        int shared = Math.min(segments.size(), other.segments.size());
        for (int i = 0; i < shared; i++) {
            int compared =
                    segments.get(i).kind().compareTo(other.segments.get(i).kind());
            if (compared != 0) {
                return compared;
            }
        }
        // If both match one path, the longer one's ** matches an empty rest: /api before /api/**.
        return Integer.compare(segments.size(), other.segments.size());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RoutePattern that && text.equals(that.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    @Override
    public String toString() {
        return text;
    }
}
