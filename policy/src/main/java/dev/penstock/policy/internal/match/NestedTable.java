package dev.penstock.policy.internal.match;

import java.util.Comparator;
import java.util.SortedMap;
import java.util.function.IntConsumer;

/**
 * Numbers stored under sets of values, any two of which are either disjoint or nested: networks, or texts with a common
 * beginning. Finds the numbers for a value by one binary search and then a walk outwards. Immutable.
 */
final class NestedTable<V> {
    /** A set of values that are contiguous in the table's order, starting at the first. */
    interface Nest<V> {
        V first();

        boolean contains(V value);
    }

    private static final int NONE = -1;

    private final Comparator<? super V> order;
    private final Nest<V>[] nests;
    private final IntList[] numbers;
    /** For each set, the index of the smallest set that contains it. */
    private final int[] around;

    /** Creates a table of sets that are sorted by first value, with larger sets before smaller ones. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    NestedTable(SortedMap<? extends Nest<V>, IntList> all, Comparator<? super V> order) {
        this.order = order;
        this.nests = all.keySet().toArray(new Nest[0]);
        this.numbers = all.values().toArray(IntList[]::new);
        this.around = new int[nests.length];
        for (int i = 0; i < nests.length; i++) {
            around[i] = outwards(i - 1, nests[i].first());
        }
    }

    /** Returns the innermost set that contains the value, starting at {@code from} and walking outwards. */
    private int outwards(int from, V value) {
        int at = from;
        while (at != NONE && !nests[at].contains(value)) {
            at = around[at];
        }
        return at;
    }

    /** Reports the numbers of all sets that contain the value. */
    void find(V value, IntConsumer found) {
        for (int at = outwards(lastUpTo(value), value); at != NONE; at = around[at]) {
            numbers[at].forEach(found);
        }
    }

    private int lastUpTo(V value) {
        int low = 0;
        int high = nests.length;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (order.compare(nests[middle].first(), value) <= 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low - 1;
    }
}
