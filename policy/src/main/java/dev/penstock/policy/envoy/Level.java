package dev.penstock.policy.envoy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Sibling descriptors, indexed for lookup: the exact value first, then the wildcards in file order, then the key alone.
 *
 * <p>Immutable. A lookup takes one hash lookup for the key and one for the value, then a scan of the key's wildcards.
 */
final class Level {
    private static final Level EMPTY = new Level(List.of());

    /** A descriptor of the files and the level below it. */
    record Found(@Nullable EnvoyRule rule, Level below) {}

    private record Pattern(Wildcard wildcard, Found found) {}

    private static final class ByValue {
        final Map<String, Found> exact = new HashMap<>();
        final List<Pattern> wildcards = new ArrayList<>();

        @Nullable
        Found other;
    }

    private final Map<String, ByValue> byKey = new HashMap<>();
    private final List<Pattern> wildcards = new ArrayList<>();
    private final boolean hasKeyWildcard;

    private Level(List<RuleNode> nodes) {
        boolean inKey = false;
        for (RuleNode node : nodes) {
            RuleStep step = node.step();
            Found found = new Found(node.rule(), of(node.descriptors()));
            ByValue values = byKey.computeIfAbsent(step.key(), key -> new ByValue());
            if (step.value().isEmpty()) {
                values.other = found;
            } else {
                // Also for a wildcard: an entry whose value is the wildcard's own text matches it before all others.
                values.exact.put(step.value(), found);
            }
            if (step.isWildcard()) {
                Pattern pattern = new Pattern(Wildcard.of(step.key(), step.value()), found);
                inKey |= pattern.wildcard().isInKey();
                values.wildcards.add(pattern);
                wildcards.add(pattern);
            }
        }
        hasKeyWildcard = inKey;
    }

    static Level of(List<RuleNode> nodes) {
        return nodes.isEmpty() ? EMPTY : new Level(nodes);
    }

    /** Returns the rule that all entries together lead to; null if there is none. */
    @Nullable
    EnvoyRule rule(List<EnvoyDescriptor.Entry> entries) {
        Level level = this;
        EnvoyRule rule = null;
        for (int i = 0; i < entries.size(); i++) {
            Found found = level.find(entries.get(i));
            if (found == null) {
                return null;
            }
            rule = found.rule();
            level = found.below();
        }
        return rule;
    }

    private @Nullable Found find(EnvoyDescriptor.Entry entry) {
        ByValue values = byKey.get(entry.key());
        Found exact = values == null ? null : values.exact.get(entry.value());
        if (exact != null) {
            return exact;
        }
        List<Pattern> candidates = hasKeyWildcard ? wildcards : values == null ? List.of() : values.wildcards;
        for (int i = 0; i < candidates.size(); i++) {
            if (candidates.get(i).wildcard().matches(entry)) {
                return candidates.get(i).found();
            }
        }
        return values == null ? null : values.other;
    }
}
