package dev.penstock.policy.internal.match;

import java.util.Comparator;
import java.util.SortedMap;
import java.util.function.IntConsumer;

/**
 * Numbers under sets of values of which any two are apart, or one inside the other: networks, texts that begin alike.
 * Finds those of a value by one search and then outwards, however many sets there are. Immutable.
 */
final class NestedTable<V> {
    /** A set of values that lie side by side in the table's order, from its first on. */
    interface Nest<V> {
        V first();

        boolean contains(V value);
    }

    private static final int NONE = -1;

    private final Comparator<? super V> order;
    private final Nest<V>[] nests;
    private final IntList[] numbers;
    /** For each, the nearest one that it is inside of. */
    private final int[] around;

    /** Of sets in the order of their first values, the wider before the narrower. */
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

    /** The first that has the value, beginning there and going outwards. */
    private int outwards(int from, V value) {
        int at = from;
        while (at != NONE && !nests[at].contains(value)) {
            at = around[at];
        }
        return at;
    }

    /** Tells the numbers of all sets that have the value. */
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
