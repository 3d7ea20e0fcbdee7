package dev.penstock.policy.envoy;

import java.util.List;
import java.util.stream.Collectors;

/** Keys in order as one text that no other keys have: {@code a/b}, with {@code %} and {@code /} of a key escaped. */
final class KeyPath {
    private KeyPath() {}

    static String of(List<String> keys) {
        return keys.stream().map(KeyPath::escaped).collect(Collectors.joining("/"));
    }

    static String escaped(String part) {
        return part.replace("%", "%25").replace("/", "%2F");
    }
}
