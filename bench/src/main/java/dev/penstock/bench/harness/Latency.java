package dev.penstock.bench.harness;

import java.util.List;

/**
 * Percentiles of the latency of answers.
 *
 * @param p999Micros NaN if it was not measured
 */
public record Latency(double p50Micros, double p99Micros, double p999Micros) {
    /** Creates a latency without the 99.9th percentile. */
    public Latency(double p50Micros, double p99Micros) {
        this(p50Micros, p99Micros, Double.NaN);
    }

    /** Returns the medians of several latencies. */
    public static Latency median(List<Latency> all) {
        return new Latency(
                Ratio.median(all.stream().map(Latency::p50Micros).toList()),
                Ratio.median(all.stream().map(Latency::p99Micros).toList()),
                Ratio.median(all.stream().map(Latency::p999Micros).toList()));
    }
}
