package dev.penstock.observe;

import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Reports a range of past seconds, oldest first. Every list has one value per second.
 *
 * @param from the first second, counted from the epoch
 * @param total the decisions, each counted once
 * @param policies the decisions by policy, counted for every policy that took part; policies without decisions are left
 *     out
 * @param store null if there is none
 * @param fallback 1 if failure modes decided instead of the store in any part of the second
 * @param overloaded requests that this node answered as overloaded; no other list includes them
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
     * Decisions by outcome.
     *
     * @param shadowDenied decisions that a shadow policy would have denied; each is also counted as allowed or denied
     */
    public record Outcomes(List<Long> allowed, List<Long> denied, List<Long> shadowDenied) {}

    /**
     * Round trips to the store.
     *
     * @param errors trips without a usable answer
     * @param meanMicros 0 if there was no trip
     */
    public record Trips(List<Long> trips, List<Long> errors, List<Long> meanMicros, List<Long> slowestMicros) {}
}
