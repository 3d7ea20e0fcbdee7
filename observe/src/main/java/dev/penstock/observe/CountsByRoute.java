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
 * Finds what a request counts under. Paths that were met lately are known by themselves, so that mostly one look into a map is
 * enough; only for others the policies are asked which of their patterns it is.
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

    /** A path that requests had, in a version of a policy. */
    private record Path(String policy, @Nullable String path, long version) {}

    private record Pattern(String policy, String route) {}

    /** @param liveKeys how many keys a policy has to do with; null where nobody knows */
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

    /** @param route the pattern; null where there is none */
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

    /** What was counted so far of each policy, and of those that have no series of their own. */
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
                    "Requests a second that a policy had a part in, over the last ten seconds or since it was last told.",
                    tags,
                    counts,
                    PolicyMeters::rate);
        }
        ToDoubleFunction<String> keys = liveKeys;
        if (keys != null && series.isTaken()) {
            series.gauge(
                    "rate.limiter.live.keys",
                    "About how many keys a policy had to do with in the last one or two minutes, on this node.",
                    tags,
                    policy,
                    keys);
        }
        return counts;
    }
}
