package dev.penstock.bench.harness;

import java.util.List;

/** How long answers took: half of them at most the one, 99 of 100 at most the other. */
public record Latency(double p50Micros, double p99Micros) {
    /** The medians of several. */
    public static Latency median(List<Latency> all) {
        return new Latency(
                Ratio.median(all.stream().map(Latency::p50Micros).toList()),
                Ratio.median(all.stream().map(Latency::p99Micros).toList()));
    }
}
