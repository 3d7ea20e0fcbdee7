package dev.penstock.bench.steady;

import dev.penstock.bench.harness.Figures;
import dev.penstock.bench.harness.Wanted;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of one case.
 *
 * @param figures the measurements in order, by their names in the JSON file
 * @param wanted the bounds of some of them
 * @param timeline a point for every 100 ms of the load
 * @param fallback times in fallback, in seconds since the load began
 */
record SteadyResult(
        String name,
        Map<String, Double> figures,
        Map<String, Wanted> wanted,
        List<Moment> timeline,
        List<Interval> fallback) {
    /** One tenth of a second of a load: the p99 of requests that were due then, and the number of denied ones. */
    record Moment(double second, double p99Millis, int denied) {}

    /** A time range, in seconds of the load. */
    record Interval(double fromSecond, double toSecond) {}

    static final String REQUESTS = "requests";
    static final String DENIED = "denied";
    static final String FAILED = "failed";
    static final String OVERLOADED = "overloaded";
    static final String FALLBACK_ENTRIES = "fallback_entries";
    static final String FALLBACK_SECONDS = "fallback_seconds";
    static final String P50 = "p50_ms";
    static final String P99 = "p99_ms";
    static final String MAX = "max_ms";

    /** How often and how long a service was in fallback during the load. */
    record Fallback(double entries, double seconds) {
        static final Fallback NONE = new Fallback(0, 0);

        Fallback since(Fallback before) {
            return new Fallback(entries - before.entries, seconds - before.seconds);
        }

        Fallback and(Fallback other) {
            return new Fallback(entries + other.entries, seconds + other.seconds);
        }
    }

    private static final int BUCKET_MICROS = 100_000;

    SteadyResult {
        figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
        wanted = Map.copyOf(wanted);
        timeline = List.copyOf(timeline);
        fallback = List.copyOf(fallback);
    }

    /** Returns the measurements that every load has. */
    static Map<String, Double> figures(LoadSamples samples, Fallback fallback) {
        int[] latencies = samples.sortedLatencies(0, Long.MAX_VALUE);
        Map<String, Double> map = new LinkedHashMap<>();
        map.put(REQUESTS, (double) samples.size());
        map.put(DENIED, (double) samples.count(AnswerKind.DENIED));
        map.put(FAILED, (double) samples.count(AnswerKind.FAILED));
        map.put(OVERLOADED, (double) samples.count(AnswerKind.OVERLOADED));
        map.put(FALLBACK_ENTRIES, fallback.entries());
        map.put(FALLBACK_SECONDS, fallback.seconds());
        map.put(P50, LoadSamples.quantile(latencies, 0.5) / 1e3);
        map.put(P99, LoadSamples.quantile(latencies, 0.99) / 1e3);
        map.put(MAX, LoadSamples.quantile(latencies, 1) / 1e3);
        map.put("lost", (double) samples.lost());
        map.put("unsent", (double) samples.count(AnswerKind.UNSENT));
        map.put("resent", (double) samples.resentCount());
        map.put("generator_late_max_ms", samples.generatorLateMicros() / 1e3);
        return map;
    }

    static List<Moment> timeline(LoadSamples samples) {
        int last = 0;
        for (int i = 0; i < samples.size(); i++) {
            last = Math.max(last, samples.dueMicros(i));
        }
        int[] denied = new int[last / BUCKET_MICROS + 1];
        List<List<Integer>> latencies = new ArrayList<>();
        for (int i = 0; i < denied.length; i++) {
            latencies.add(new ArrayList<>());
        }
        for (int i = 0; i < samples.size(); i++) {
            int bucket = samples.dueMicros(i) / BUCKET_MICROS;
            denied[bucket] += samples.kind(i) == AnswerKind.DENIED ? 1 : 0;
            if (samples.isAnswered(i)) {
                latencies.get(bucket).add(samples.latencyMicros(i));
            }
        }
        List<Moment> moments = new ArrayList<>();
        for (int i = 0; i < denied.length; i++) {
            int[] sorted = latencies.get(i).stream()
                    .mapToInt(Integer::intValue)
                    .sorted()
                    .toArray();
            moments.add(new Moment(i / 10.0, LoadSamples.quantile(sorted, 0.99) / 1e3, denied[i]));
        }
        return moments;
    }

    double figure(String figure) {
        return figures.getOrDefault(figure, Double.NaN);
    }

    /** Returns the names of measurements outside of their bounds with their mark, such as {@code denied ABOVE}. */
    List<String> complaints() {
        List<String> all = new ArrayList<>();
        for (Map.Entry<String, Double> figure : figures.entrySet()) {
            Wanted bound = wanted.get(figure.getKey());
            if (bound != null && !bound.isReachedBy(figure.getValue())) {
                all.add(figure.getKey() + " " + bound.complaint());
            }
        }
        return all;
    }

    Map<String, @Nullable Object> asMap() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("case", name);
        figures.forEach((figure, value) -> map.put(figure, Figures.rounded(value, 3)));
        Map<String, Object> bounds = new LinkedHashMap<>();
        figures.keySet().stream()
                .filter(wanted::containsKey)
                .forEach(figure -> bounds.put(figure, String.valueOf(wanted.get(figure))));
        map.put("wanted", bounds);
        map.put("not_as_wanted", complaints());
        return map;
    }
}
