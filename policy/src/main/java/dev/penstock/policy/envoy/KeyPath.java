package dev.penstock.policy.envoy;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Joins keys into one unambiguous text: {@code a/b}, with {@code %} and {@code /} in a key escaped. */
final class KeyPath {
    private KeyPath() {}

    static String of(List<String> keys) {
        return keys.stream().map(KeyPath::escaped).collect(Collectors.joining("/"));
    }

    /** Returns the keys of a joined text. */
    static List<String> parts(String path) {
        return Arrays.stream(path.split("/", -1))
                .map(part -> part.replace("%2F", "/").replace("%25", "%"))
                .toList();
    }

    static String escaped(String part) {
        return part.replace("%", "%25").replace("/", "%2F");
    }
}
