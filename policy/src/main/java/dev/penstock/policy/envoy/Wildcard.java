package dev.penstock.policy.envoy;

import java.util.List;

/**
 * A key and a value, one of which contains {@code *} for any text, including an empty one.
 *
 * <p>envoyproxy/ratelimit does not document stars in keys: they happen to work because it matches key and value joined
 * by {@code _}. Such keys, and only those, are matched the same way here.
 */
record Wildcard(String key, List<String> parts, boolean isInKey) {
    static boolean isIn(String key, String value) {
        return key.indexOf('*') >= 0 || value.indexOf('*') >= 0;
    }

    /**
     * Creates a wildcard.
     *
     * @param value empty for a key without value
     */
    static Wildcard of(String key, String value) {
        boolean inKey = key.indexOf('*') >= 0;
        String pattern = !inKey ? value : value.isEmpty() ? key : key + "_" + value;
        return new Wildcard(key, List.of(pattern.split("\\*", -1)), inKey);
    }

    boolean matches(EnvoyDescriptor.Entry entry) {
        return isInKey ? matches(entry.key() + "_" + entry.value()) : key.equals(entry.key()) && matches(entry.value());
    }

    private boolean matches(String text) {
        String first = parts.get(0);
        String last = parts.get(parts.size() - 1);
        if (!text.startsWith(first) || !text.endsWith(last) || text.length() < first.length() + last.length()) {
            return false;
        }
        int at = first.length();
        int end = text.length() - last.length();
        for (int i = 1; i < parts.size() - 1; i++) {
            String part = parts.get(i);
            int found = text.indexOf(part, at);
            if (found < 0 || found + part.length() > end) {
                return false;
            }
            at = found + part.length();
        }
        return true;
    }
}
