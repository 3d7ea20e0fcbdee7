package dev.penstock.observe;

import dev.penstock.Key;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Several summaries as one. What a summary does not keep may have occurred there as often as the least that it keeps, and is
 * taken to have. For one use, not thread-safe.
 */
final class Ranking {
    private static final class Sum {
        private long count;
        private long over;
    }

    private final Map<Key, Sum> sums = new HashMap<>();
    private long least;

    void add(SpaceSaving summary) {
        long notKept = summary.least();
        least += notKept;
        summary.forEach((key, count, over) -> {
            Sum sum = sums.computeIfAbsent(key, unused -> new Sum());
            sum.count += count - notKept;
            sum.over += over - notKept;
        });
    }

    /** Those with the highest counts, the first the highest. */
    List<Talker> top(int most) {
        return sums.entrySet().stream()
                .map(entry -> new Talker(entry.getKey(), entry.getValue().count + least, entry.getValue().over + least))
                .sorted(Comparator.comparingLong(Talker::count)
                        .reversed()
                        .thenComparing(talker -> talker.key().values().toString()))
                .limit(most)
                .toList();
    }
}
