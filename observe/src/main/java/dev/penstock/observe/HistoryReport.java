package dev.penstock.observe;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What happened in some seconds that are over, the oldest first. Every list has a figure of each of them.
 *
 * @param from the first second, since 1970
 * @param total each decision once
 * @param policies once for every policy that had a part in it, by name; those that had none are left out
 * @param store null where there is none
 * @param fallback 1 where failure modes decided in the store's place, if only for a part of the second
 * @param overloaded requests that this node answered as overloaded; they are in none of the other lists
 */
public record HistoryReport(
        long from,
        int count,
        Outcomes total,
        SortedMap<String, Outcomes> policies,
        @Nullable Trips store,
        List<Long> fallback,
        List<Long> overloaded) {
    /**
     * Decisions by what came of them.
     *
     * @param observed those that a policy would have denied that only watches; each of them is one of the others, too
     */
    public record Outcomes(List<Long> allowed, List<Long> denied, List<Long> observed) {}

    /**
     * The way to the store.
     *
     * @param errors trips without an answer that could be used
     * @param meanMicros 0 where there was no trip
     */
    public record Trips(List<Long> trips, List<Long> errors, List<Long> meanMicros, List<Long> slowestMicros) {}
}
