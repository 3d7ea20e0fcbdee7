package dev.penstock.policy.internal.match;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds which of many matches hold for a request without asking them all.
 *
 * <p>Each match stands under the one of its conditions that fewest others share: a value of an attribute, or its routes.
 * Only those that stand under the request's own values and path are asked; those that have neither are asked each time.
 */
public final class MatchIndex {
    private final Match[] matches;
    private final RouteTable routes = new RouteTable();
    private final boolean hasRoutes;
    private final String[] attributes;
    private final Map<String, Numbers>[] byValue;
    private final Numbers always;

    @SuppressWarnings({"unchecked", "rawtypes"})
    public MatchIndex(List<Match> all) {
        this.matches = all.toArray(Match[]::new);
        Map<Object, Integer> sharers = countSharers(all);
        Map<String, Map<String, Numbers>> values = new TreeMap<>();
        Numbers unindexed = new Numbers();
        boolean routed = false;
        for (int i = 0; i < matches.length; i++) {
            Condition best = bestOf(matches[i], sharers);
            if (best instanceof Condition.OneOf one) {
                Map<String, Numbers> map = values.computeIfAbsent(one.attribute(), name -> new HashMap<>());
                for (String value : one.values()) {
                    map.computeIfAbsent(value, each -> new Numbers()).add(i);
                }
            } else if (best instanceof Condition.OnRoute route) {
                for (RoutePattern pattern : route.patterns()) {
                    routes.add(pattern, i);
                }
                routed = true;
            } else {
                unindexed.add(i);
            }
        }
        this.hasRoutes = routed;
        this.attributes = values.keySet().toArray(String[]::new);
        this.byValue = values.values().toArray(new Map[0]);
        this.always = unindexed;
    }

    /** What a condition can be found by. */
    private static Set<?> handles(Condition condition) {
        if (condition instanceof Condition.OneOf one) {
            return one.values().stream()
                    .map(value -> List.of(one.attribute(), value))
                    .collect(Collectors.toUnmodifiableSet());
        }
        return condition instanceof Condition.OnRoute route ? Set.copyOf(route.patterns()) : Set.of();
    }

    private static Map<Object, Integer> countSharers(List<Match> all) {
        Map<Object, Integer> counts = new HashMap<>();
        for (Match match : all) {
            for (Condition condition : match.conditions()) {
                handles(condition).forEach(handle -> counts.merge(handle, 1, Integer::sum));
            }
        }
        return counts;
    }

    private static @Nullable Condition bestOf(Match match, Map<Object, Integer> sharers) {
        Condition best = null;
        int fewest = Integer.MAX_VALUE;
        for (Condition condition : match.conditions()) {
            int most = handles(condition).stream()
                    .mapToInt(handle -> sharers.getOrDefault(handle, 0))
                    .max()
                    .orElse(Integer.MAX_VALUE);
            if (most < fewest) {
                best = condition;
                fewest = most;
            }
        }
        return best;
    }

    /** Tells the number of every match that holds, each once, in no particular order. */
    public void find(Subject subject, IntConsumer found) {
        ask(always, subject, found);
        for (int i = 0; i < attributes.length; i++) {
            String value = subject.value(attributes[i]);
            Numbers numbers = value == null ? null : byValue[i].get(value);
            if (numbers != null) {
                ask(numbers, subject, found);
            }
        }
        String path = hasRoutes ? subject.value(Subject.ROUTE) : null;
        if (path != null) {
            new ByRoute(subject, found).look(path);
        }
    }

    private void ask(Numbers numbers, Subject subject, IntConsumer found) {
        for (int i = 0; i < numbers.size(); i++) {
            if (matches[numbers.get(i)].holds(subject)) {
                found.accept(numbers.get(i));
            }
        }
    }

    /** Those found by the path; several patterns of one match may lead to it. */
    private final class ByRoute implements IntConsumer {
        private final Subject subject;
        private final IntConsumer found;
        private final Numbers seen = new Numbers();

        ByRoute(Subject subject, IntConsumer found) {
            this.subject = subject;
            this.found = found;
        }

        void look(String path) {
            routes.find(path, this);
        }

        @Override
        public void accept(int number) {
            Match match = matches[number];
            if (match.routes().size() > 1) {
                if (seen.contains(number)) {
                    return;
                }
                seen.add(number);
            }
            if (match.holds(subject)) {
                found.accept(number);
            }
        }
    }
}
