package dev.penstock.bench.soak.hostile;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Counts honest requests by outcome, and records their latency since the last interval. Thread-safe. */
final class HonestCounts {
    private static final long LONGEST_MICROS = 120_000_000;
    private static final int DIGITS = 3;
    private static final int LONGEST_TEXT = 300;

    /** The latency of the requests that were answered in an interval; zero if there were none. */
    record Latency(double p50Millis, double p99Millis) {}

    private final Map<HonestOutcome, LongAdder> counts = new EnumMap<>(HonestOutcome.class);
    private final AtomicReference<@Nullable String> firstBad = new AtomicReference<>();
    private final Recorder latencies = new Recorder(LONGEST_MICROS, DIGITS);

    HonestCounts() {
        for (HonestOutcome outcome : HonestOutcome.values()) {
            counts.put(outcome, new LongAdder());
        }
    }

    /**
     * Counts a request.
     *
     * @param what is shown if it is the first request that went wrong
     */
    void add(HonestOutcome outcome, String what) {
        adder(outcome).increment();
        if (outcome != HonestOutcome.ALLOWED && outcome != HonestOutcome.OVERLOADED && firstBad.get() == null) {
            String shown = what.length() <= LONGEST_TEXT ? what : what.substring(0, LONGEST_TEXT);
            firstBad.compareAndSet(null, outcome.name().toLowerCase(Locale.ROOT) + ": " + shown);
        }
    }

    private LongAdder adder(HonestOutcome outcome) {
        LongAdder adder = counts.get(outcome);
        if (adder == null) {
            throw new IllegalStateException("outcome: " + outcome + " (expected: one that is counted)");
        }
        return adder;
    }

    void latency(long micros) {
        latencies.recordValue(Math.max(0, Math.min(micros, LONGEST_MICROS)));
    }

    /** Returns the latency since the last call. Called by one thread. */
    Latency takeLatency() {
        Histogram histogram = latencies.getIntervalHistogram();
        return histogram.getTotalCount() == 0
                ? new Latency(0, 0)
                : new Latency(histogram.getValueAtPercentile(50) / 1e3, histogram.getValueAtPercentile(99) / 1e3);
    }

    Map<HonestOutcome, Long> totals() {
        Map<HonestOutcome, Long> totals = new EnumMap<>(HonestOutcome.class);
        counts.forEach((outcome, count) -> totals.put(outcome, count.sum()));
        return totals;
    }

    /** Returns the first request that went wrong; null if none did. */
    @Nullable
    String firstBad() {
        return firstBad.get();
    }
}
