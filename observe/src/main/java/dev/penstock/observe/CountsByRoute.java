package dev.penstock.observe;

import dev.penstock.Clock;
import dev.penstock.Request;
import dev.penstock.internal.BoundedMap;
import dev.penstock.spi.PolicyVersion;
import io.micrometer.core.instrument.Tags;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds the counters of a request. Recently seen paths are cached, so that usually a single map lookup is enough. For
 * other paths, the policies are asked which of their patterns matches.
 */
final class CountsByRoute {
    private static final String ROUTE = "route";
    private static final int PATHS_KNOWN = 8_192;
    private static final int LONGEST_KNOWN = 256;

    private final PolicyLabels words;
    private final Series series;
    private final Clock clock;
    private final @Nullable ToDoubleFunction<String> liveKeys;
    private final AllowedBlockedCounters others;
    private final BoundedMap<Path, AllowedBlockedCounters> byPath = new BoundedMap<>(PATHS_KNOWN);
    private final Map<Pattern, AllowedBlockedCounters> byPattern = new ConcurrentHashMap<>();
    private final Map<String, PolicyMeters> byPolicy = new ConcurrentHashMap<>();

    /** A path of a request under one version of a policy. */
    private record Path(String policy, @Nullable String path, long version) {}

    private record Pattern(String policy, String route) {}

    /**
     * Creates the lookup.
     *
     * @param liveKeys returns the number of live keys of a policy; null if unknown
     */
    CountsByRoute(PolicyLabels words, Series series, Clock clock, @Nullable ToDoubleFunction<String> liveKeys) {
        this.words = words;
        this.series = series;
        this.clock = clock;
        this.liveKeys = liveKeys;
        this.others = new AllowedBlockedCounters(Series.OTHERS, Series.OTHERS, series, null);
    }

    AllowedBlockedCounters of(String policy, Request request, @Nullable PolicyVersion version) {
        String path = request.attribute(ROUTE);
        Path key = new Path(policy, path, version == null ? 0 : version.number());
        AllowedBlockedCounters known = byPath.get(key);
        if (known != null) {
            return known;
        }
        String route = path == null ? null : words.route(policy, request);
        AllowedBlockedCounters found = of(policy, route);
        if (path == null || path.length() <= LONGEST_KNOWN) {
            byPath.put(key, found);
        }
        return found;
    }

    /**
     * Returns the counters of a policy on a route.
     *
     * @param route the pattern; null for none
     */
    AllowedBlockedCounters of(String policy, @Nullable String route) {
        Pattern pattern = new Pattern(policy, route == null ? Series.NONE : route);
        AllowedBlockedCounters known = byPattern.get(pattern);
        if (known != null) {
            return known;
        }
        if (series.isFull()) {
            series.refuse();
            return others;
        }
        return byPattern.computeIfAbsent(pattern, this::added);
    }

    /** Returns the totals of each policy, and of those without their own series. */
    Map<String, DecisionTotals> byPolicy() {
        Map<String, DecisionTotals> all = new HashMap<>();
        byPolicy.forEach((policy, counts) -> all.put(policy, counts.counted()));
        all.merge(Series.OTHERS, others.counted(), DecisionTotals::plus);
        return all;
    }

    private AllowedBlockedCounters added(Pattern pattern) {
        AllowedBlockedCounters counts = new AllowedBlockedCounters(pattern.policy, pattern.route, series, others);
        byPolicy.computeIfAbsent(pattern.policy, this::addedPolicy).add(counts);
        return counts;
    }

    private PolicyMeters addedPolicy(String policy) {
        PolicyMeters counts = new PolicyMeters(clock);
        Tags tags = Tags.of("policy", policy);
        if (series.isTaken()) {
            series.gauge(
                    "rate.limiter.current.rate",
                    "Requests per second that a policy decided, over the last ten seconds or since the last scrape.",
                    tags,
                    counts,
                    PolicyMeters::rate);
        }
        ToDoubleFunction<String> keys = liveKeys;
        if (keys != null && series.isTaken()) {
            series.gauge(
                    "rate.limiter.live.keys",
                    "Approximate number of keys that a policy counted on this node in the last one to two minutes.",
                    tags,
                    policy,
                    keys);
        }
        return counts;
    }
}
