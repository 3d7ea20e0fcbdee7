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

/** What the files call the things that requests are counted by. Immutable. */
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

    /** What the keys of a counter are made of; none where it is not known. */
    public List<String> keyParts(String counter) {
        return keyParts.getOrDefault(counter, List.of());
    }

    /** Whether the values of an attribute are not to be kept in clear. */
    public boolean hides(String attribute) {
        return hidden.contains(attribute);
    }

    /** The most specific pattern of the request's route; null where the request has none, or there is no such policy. */
    public @Nullable String route(String policy, Request request) {
        Match match = matches.get(policy);
        return match == null || request.attribute(AttributeNames.ROUTE) == null
                ? null
                : contents.routes().of(new Subject(request), match);
    }

    /** The plan that holds for the request; null where there are none. */
    public @Nullable String plan(Request request) {
        return contents.plans() == Plans.NONE
                ? null
                : contents.plans().of(new Subject(request)).name();
    }
}
