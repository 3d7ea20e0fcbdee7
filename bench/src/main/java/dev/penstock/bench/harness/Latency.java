package dev.penstock.bench.harness;

import java.util.List;

/**
 * How long answers took: half of them at most the first, 99 of 100 at most the second, 999 of 1,000 at most the third.
 *
 * @param p999Micros NaN where nobody counted it
 */
public record Latency(double p50Micros, double p99Micros, double p999Micros) {
    /** One of which no more is known. */
    public Latency(double p50Micros, double p99Micros) {
        this(p50Micros, p99Micros, Double.NaN);
    }

    /** The medians of several. */
    public static Latency median(List<Latency> all) {
        return new Latency(
                Ratio.median(all.stream().map(Latency::p50Micros).toList()),
                Ratio.median(all.stream().map(Latency::p99Micros).toList()),
                Ratio.median(all.stream().map(Latency::p999Micros).toList()));
    }
}
