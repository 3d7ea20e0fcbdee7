package dev.penstock.observe;

import dev.penstock.spi.Key;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Merges several summaries. A key that a summary does not contain is assumed to have its smallest count there, which is
 * the most that it can have had. For one use; not thread-safe.
 */
final class Ranking {
    private static final Comparator<TopKey> MOST_FIRST = Comparator.comparingLong(TopKey::count)
            .reversed()
            .thenComparing(topKey -> topKey.key().values().toString());

    private static final class Sum {
        private long count;
        private long over;
    }

    private final Map<Key, Sum> sums = new HashMap<>();
    private long least;

    void add(SpaceSaving summary) {
        long notKept = summary.least();
        least += notKept;
        summary.forEach((key, count, over) -> add(key, count - notKept, over - notKept));
    }

    void add(TopKeyList others) {
        least += others.least();
        others.topKeys().forEach(each -> add(each.key(), each.count() - others.least(), each.over() - others.least()));
    }

    private void add(Key key, long count, long over) {
        Sum sum = sums.computeIfAbsent(key, unused -> new Sum());
        sum.count += count;
        sum.over += over;
    }

    /** Returns the keys with the highest counts, highest first. */
    TopKeyList top(int most) {
        List<TopKey> all = sums.entrySet().stream()
                .map(entry -> new TopKey(entry.getKey(), entry.getValue().count + least, entry.getValue().over + least))
                .sorted(MOST_FIRST)
                .toList();
        return all.size() <= most
                ? new TopKeyList(all, least)
                : new TopKeyList(all.subList(0, most), all.get(most).count());
    }
}
