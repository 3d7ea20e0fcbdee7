package dev.penstock.policy.internal.match;

import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Numbers stored under route patterns. Finds those of a path by its segments instead of trying every pattern. */
final class RouteTable {
    private static final class Node {
        private final Map<String, Node> texts = new HashMap<>();
        private @Nullable Node anyOne;
        private final IntList here = new IntList();
        private final IntList anyRest = new IntList();
    }

    private final Node root = new Node();

    /** Adds a pattern while the table is built. */
    void add(RoutePattern pattern, IntList numbers) {
        Node node = root;
        for (RoutePattern.Segment segment : pattern.segments()) {
            switch (segment.kind()) {
                case TEXT -> node = node.texts.computeIfAbsent(segment.text(), text -> new Node());
                case ANY_ONE -> {
                    if (node.anyOne == null) {
                        node.anyOne = new Node();
                    }
                    node = node.anyOne;
                }
                case ANY_REST -> {
                    numbers.forEach(node.anyRest::add);
                    return;
                }
            }
        }
        numbers.forEach(node.here::add);
    }

    /**
     * Reports the numbers of all patterns that match. A number with several matching patterns is reported several
     * times.
     */
    void find(String path, IntConsumer found) {
        find(root, path, 1, found);
    }

    private static void find(Node node, String path, int at, IntConsumer found) {
        node.anyRest.forEach(found);
        if (at >= path.length()) {
            node.here.forEach(found);
            return;
        }
        int slash = path.indexOf('/', at);
        int end = slash < 0 ? path.length() : slash;
        Node text = node.texts.isEmpty() ? null : node.texts.get(path.substring(at, end));
        if (text != null) {
            find(text, path, end + 1, found);
        }
        if (node.anyOne != null) {
            find(node.anyOne, path, end + 1, found);
        }
    }
}
