package dev.penstock.policy.envoy;

import java.util.Set;

/**
 * One descriptor of a file on the path to a rule.
 *
 * @param value a value, a wildcard, or empty for any value
 */
record RuleStep(String key, String value, Set<Trait> traits) {
    enum Trait {
        SHARE_THRESHOLD,
        VALUE_TO_METRIC
    }

    boolean isWildcard() {
        return Wildcard.isIn(key, value);
    }

    /** Returns true if all values that it matches are counted together. */
    boolean isShared() {
        return traits.contains(Trait.SHARE_THRESHOLD);
    }

    /** Returns the step as envoyproxy/ratelimit's messages spell it. */
    String composite() {
        return value.isEmpty() ? key : key + "_" + value;
    }

    /** Returns the text that distinguishes counters. */
    String countedValue(EnvoyDescriptor.Entry entry) {
        return isShared() ? pattern(entry) : entry.value();
    }

    /** Returns the text that represents the entry's value in statistics; empty for none. */
    String metricValue(EnvoyDescriptor.Entry entry, boolean detailed) {
        if (isShared()) {
            return pattern(entry);
        }
        if (detailed || traits.contains(Trait.VALUE_TO_METRIC)) {
            return entry.value();
        }
        return isWildcard() ? pattern(entry) : value;
    }

    /** Returns the wildcard. For a wildcard in the key, returns what follows the entry's own key. */
    private String pattern(EnvoyDescriptor.Entry entry) {
        String composite = composite();
        String prefix = entry.key() + "_";
        return composite.startsWith(prefix) ? composite.substring(prefix.length()) : composite;
    }
}
