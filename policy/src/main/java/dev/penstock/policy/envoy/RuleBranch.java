package dev.penstock.policy.envoy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Converts a descriptor among its siblings into a condition that holds for exactly the values that envoyproxy/ratelimit
 * would route to it.
 *
 * <p>That service chooses the first descriptor that fits, whereas all matching policies apply together, so each
 * condition must exclude the values of earlier descriptors. Only wildcards with a trailing star are supported: two of
 * those are either disjoint, or one contains the other.
 */
record RuleBranch(RuleNode node, List<RuleNode> beside) {
    /**
     * A condition on a value.
     *
     * @param value the only value; null for any
     * @param prefix what the value begins with; empty for any value
     * @param notValues values to exclude; none of them begins with one of {@code notPrefixes}
     * @param notPrefixes prefixes to exclude
     */
    record Values(@Nullable String value, String prefix, List<String> notValues, List<String> notPrefixes) {
        static Values only(String value) {
            return new Values(value, "", List.of(), List.of());
        }
    }

    private static String prefixOf(RuleStep wildcard) {
        return wildcard.value().substring(0, wildcard.value().length() - 1);
    }

    /** Returns the values that lead to this descriptor; null if no value does. */
    @Nullable
    Values values() {
        RuleStep step = node.step();
        if (step.isWildcard()) {
            return ofWildcard(step);
        }
        return step.value().isEmpty() ? ofKeyAlone() : Values.only(step.value());
    }

    private Values ofWildcard(RuleStep step) {
        String prefix = prefixOf(step);
        List<String> before = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        boolean isBefore = true;
        for (RuleStep that : sameKey()) {
            if (that.value().equals(step.value())) {
                isBefore = false;
            } else if (!isBefore || !that.isWildcard()) {
                texts.add(that.value());
            } else if (prefix.startsWith(prefixOf(that))) {
                return Values.only(step.value()); // the earlier wildcard takes all values but this text itself
            } else {
                before.add(prefixOf(that));
            }
        }
        before.removeIf(each -> !each.startsWith(prefix));
        texts.removeIf(each -> !each.startsWith(prefix));
        return without(prefix, texts, before);
    }

    private @Nullable Values ofKeyAlone() {
        List<String> prefixes = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        for (RuleStep that : sameKey()) {
            if (that.isWildcard()) {
                prefixes.add(prefixOf(that));
            } else {
                texts.add(that.value());
            }
        }
        return prefixes.contains("") ? null : without("", texts, prefixes);
    }

    /** Returns the siblings, including this one, that have the same key and a value. */
    private List<RuleStep> sameKey() {
        String key = node.step().key();
        return beside.stream()
                .map(RuleNode::step)
                .filter(step -> step.key().equals(key) && !step.value().isEmpty())
                .toList();
    }

    private static Values without(String prefix, List<String> texts, List<String> prefixes) {
        texts.removeIf(text -> prefixes.stream().anyMatch(text::startsWith));
        List<String> widest = prefixes.stream()
                .filter(each -> prefixes.stream().noneMatch(other -> each.startsWith(other) && !each.equals(other)))
                .toList();
        return new Values(null, prefix, texts, widest);
    }
}
