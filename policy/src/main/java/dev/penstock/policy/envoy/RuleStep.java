package dev.penstock.policy.envoy;

import java.util.Set;

/**
 * A descriptor of a file on the way to a rule.
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

    /** Whether all that it matches is counted together. */
    boolean isShared() {
        return traits.contains(Trait.SHARE_THRESHOLD);
    }

    /** As it stands in that service's messages. */
    String composite() {
        return value.isEmpty() ? key : key + "_" + value;
    }

    /** What tells counters apart. */
    String countedValue(EnvoyDescriptor.Entry entry) {
        return isShared() ? pattern(entry) : entry.value();
    }

    /** What stands for the entry's value in statistics; empty for nothing. */
    String metricValue(EnvoyDescriptor.Entry entry, boolean detailed) {
        if (isShared()) {
            return pattern(entry);
        }
        if (detailed || traits.contains(Trait.VALUE_TO_METRIC)) {
            return entry.value();
        }
        return isWildcard() ? pattern(entry) : value;
    }

    /** The wildcard, in place of the value: of one in the key, what follows the entry's own key. */
    private String pattern(EnvoyDescriptor.Entry entry) {
        String composite = composite();
        String prefix = entry.key() + "_";
        return composite.startsWith(prefix) ? composite.substring(prefix.length()) : composite;
    }
}
