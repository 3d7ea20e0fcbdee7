package dev.penstock.policy.envoy;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor among those beside it, as a condition that holds for just the values which that service would lead to it.
 *
 * <p>There the first that fits is chosen; policies all apply together, so what goes before must be left out of each. For
 * wildcards with the star at the end only: two of those are apart, or one holds all of the other.
 */
record RuleBranch(RuleNode node, List<RuleNode> beside) {
    /**
     * What must hold of the value.
     *
     * @param value just this one; null for all
     * @param prefix what it begins with; empty for anything
     * @param notValues what it is not, none of which begins with one of {@code notPrefixes}
     * @param notPrefixes what it does not begin with
     */
    record Values(@Nullable String value, String prefix, List<String> notValues, List<String> notPrefixes) {
        static Values only(String value) {
            return new Values(value, "", List.of(), List.of());
        }
    }

    private static String prefixOf(RuleStep wildcard) {
        return wildcard.value().substring(0, wildcard.value().length() - 1);
    }

    /** What leads here; null where nothing does. */
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
                return Values.only(step.value()); // the earlier one has everything but this text itself
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

    /** Those beside it, itself included, that have its key and a value. */
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
