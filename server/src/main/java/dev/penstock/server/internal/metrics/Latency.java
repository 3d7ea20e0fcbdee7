package dev.penstock.server.internal.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import java.util.concurrent.atomic.LongAdder;

/** How long decisions took, in buckets from ten microseconds to a second. */
final class Latency {
    private static final long[] UP_TO_MICROS = {
        10, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 1_000_000
    };
    private static final double MICROS_A_SECOND = 1e6;

    private final LongAdder[] counts = new LongAdder[UP_TO_MICROS.length + 1];
    private final LongAdder sumMicros = new LongAdder();

    Latency() {
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new LongAdder();
        }
    }

    /** @param micros less than none where the clock was set back, which counts as none */
    void add(long micros) {
        int bucket = 0;
        while (bucket < UP_TO_MICROS.length && micros > UP_TO_MICROS[bucket]) {
            bucket++;
        }
        counts[bucket].increment();
        sumMicros.add(Math.max(0, micros));
    }

    HistogramSnapshot snapshot() {
        ClassicHistogramBuckets.Builder buckets = ClassicHistogramBuckets.builder();
        for (int i = 0; i < counts.length; i++) {
            double upTo = i < UP_TO_MICROS.length ? UP_TO_MICROS[i] / MICROS_A_SECOND : Double.POSITIVE_INFINITY;
            buckets.bucket(upTo, counts[i].sum());
        }
        HistogramSnapshot.HistogramDataPointSnapshot.Builder point =
                HistogramSnapshot.HistogramDataPointSnapshot.builder().classicHistogramBuckets(buckets.build());
        point.sum(sumMicros.sum() / MICROS_A_SECOND);
        return HistogramSnapshot.builder()
                .name("penstock_decision_duration_seconds")
                .help("How long the engine took over decisions, the way to the store and back included.")
                .dataPoint(point.build())
                .build();
    }
}
