package dev.penstock.policy.internal.match;

import dev.penstock.policy.internal.match.Lookups.Lookup;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * Finds which of many matches hold for a request, without evaluating all of them.
 *
 * <p>Each match is indexed under the condition that the fewest other matches share: values, prefixes or networks of an
 * attribute, or its routes. Only matches indexed under a property of the request are evaluated. Matches without any
 * such condition are evaluated for every request.
 */
public final class MatchIndex {
    private final Match[] matches;
    /** True if the match is indexed under several keys, more than one of which a request may have. */
    private final boolean[] comesOften;

    private final Lookup[] lookups;
    private final IntList always = new IntList();

    public MatchIndex(List<Match> all) {
        this.matches = all.toArray(Match[]::new);
        this.comesOften = new boolean[matches.length];
        Map<IndexKey, Integer> sharers = countSharers(all);
        Map<IndexKey, IntList> byHandle = new LinkedHashMap<>();
        for (int i = 0; i < matches.length; i++) {
            List<IndexKey> handles = bestOf(matches[i], sharers);
            for (IndexKey handle : handles) {
                byHandle.computeIfAbsent(handle, each -> new IntList()).add(i);
            }
            if (handles.isEmpty()) {
                always.add(i);
            }
            comesOften[i] = handles.size() > 1;
        }
        this.lookups = Lookups.of(byHandle);
    }

    private static Map<IndexKey, Integer> countSharers(List<Match> all) {
        Map<IndexKey, Integer> counts = new HashMap<>();
        for (Match match : all) {
            for (Condition condition : match.conditions()) {
                IndexKey.of(condition).forEach(handle -> counts.merge(handle, 1, Integer::sum));
            }
        }
        return counts;
    }

    /** Returns the index keys of the condition that the fewest others share; empty if no condition has any. */
    private static List<IndexKey> bestOf(Match match, Map<IndexKey, Integer> sharers) {
        List<IndexKey> best = List.of();
        int fewest = Integer.MAX_VALUE;
        for (Condition condition : match.conditions()) {
            List<IndexKey> handles = IndexKey.of(condition);
            int most = handles.stream()
                    .mapToInt(handle -> sharers.getOrDefault(handle, 0))
                    .max()
                    .orElse(Integer.MAX_VALUE);
            // A hash must be computed for each request, so use it only if there is no other key.
            int effort = condition instanceof Condition.Hashed ? Integer.MAX_VALUE - 1 : most;
            if (effort < fewest) {
                best = handles;
                fewest = effort;
            }
        }
        return best;
    }

    /** Reports the number of every match that holds, each once, in no particular order. */
    public void find(Subject subject, IntConsumer found) {
        candidates(subject, new Asking(subject, found));
    }

    /** Reports the number of every match that may hold, some of them more than once. */
    void candidates(Subject subject, IntConsumer candidate) {
        always.forEach(candidate);
        for (Lookup lookup : lookups) {
            lookup.find(subject, candidate);
        }
    }

    /** Evaluates the candidates, and reports each one that holds once. */
    private final class Asking implements IntConsumer {
        private final Subject subject;
        private final IntConsumer found;
        private final IntList seen = new IntList();

        Asking(Subject subject, IntConsumer found) {
            this.subject = subject;
            this.found = found;
        }

        @Override
        public void accept(int number) {
            if (matches[number].holds(subject) && !(comesOften[number] && isSeen(number))) {
                found.accept(number);
            }
        }

        private boolean isSeen(int number) {
            if (seen.contains(number)) {
                return true;
            }
            seen.add(number);
            return false;
        }
    }
}
