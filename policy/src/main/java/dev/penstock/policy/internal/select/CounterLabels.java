package dev.penstock.policy.internal.select;

import dev.penstock.Request;
import dev.penstock.policy.AttributeNames;
import dev.penstock.policy.internal.match.Match;
import dev.penstock.policy.internal.match.Subject;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names that the files use for the things by which requests are counted. Immutable. */
public final class CounterLabels {
    private final Selector.Contents contents;
    private final Map<String, Match> matches = new HashMap<>();
    private final Map<String, List<String>> keyParts = new HashMap<>();
    private final Set<String> hidden;

    public CounterLabels(Selector.Contents contents) {
        this.contents = contents;
        this.hidden = new HashSet<>(contents.secrets());
        contents.policies().forEach(this::add);
        SelectedPolicy otherwise = contents.defaultPolicy();
        if (otherwise != null) {
            add(otherwise);
        }
    }

    private void add(SelectedPolicy policy) {
        matches.put(policy.name(), policy.match());
        for (SelectedLimit limit : policy.limits()) {
            List<String> parts = limit.parts().stream().map(KeyPart::written).toList();
            limit.parts().stream()
                    .filter(part -> part.hash() != null)
                    .map(KeyPart::attribute)
                    .forEach(hidden::add);
            for (SelectedLimit.Line line : limit.lines()) {
                if (line != null) {
                    keyParts.put(line.counter(), parts);
                }
            }
        }
    }

    /** Returns the parts of a counter's keys; empty for an unknown counter. */
    public List<String> keyParts(String counter) {
        return keyParts.getOrDefault(counter, List.of());
    }

    /** Returns true if the attribute's values must not be kept in plain text. */
    public boolean hides(String attribute) {
        return hidden.contains(attribute);
    }

    /**
     * Returns the most specific pattern of the request's route; null if the request has no route or the policy does not
     * exist.
     */
    public @Nullable String route(String policy, Request request) {
        Match match = matches.get(policy);
        return match == null || request.attribute(AttributeNames.ROUTE) == null
                ? null
                : contents.routes().of(new Subject(request), match);
    }

    /** Returns the plan that applies to the request; null if there are no plans. */
    public @Nullable String plan(Request request) {
        return contents.plans() == Plans.NONE
                ? null
                : contents.plans().of(new Subject(request)).name();
    }
}
