package dev.penstock.bench.redis;

import dev.penstock.bench.harness.Latency;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Counts answers by outcome and records their latency. Thread-safe. */
final class DecisionCounts {
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MICRO = 1_000;

    private final LongAdder allowed = new LongAdder();
    private final LongAdder denied = new LongAdder();
    private final LongAdder errors = new LongAdder();
    private final Recorder nanos = new Recorder(DIGITS);
    private final AtomicReference<@Nullable Throwable> firstError = new AtomicReference<>();

    void note(long startNanos, @Nullable Boolean isAllowed, @Nullable Throwable failure) {
        nanos.recordValue(Math.max(0, System.nanoTime() - startNanos));
        count(isAllowed, failure);
    }

    /** Counts an answer without its latency. */
    void count(@Nullable Boolean isAllowed, @Nullable Throwable failure) {
        if (failure != null || isAllowed == null) {
            errors.increment();
            firstError.compareAndSet(null, failure);
        } else {
            (isAllowed ? allowed : denied).increment();
        }
    }

    /** Resets the counts, except errors: those of the warm-up count too. */
    void restart() {
        allowed.reset();
        denied.reset();
        nanos.reset();
    }

    long answers() {
        return allowed.sum() + denied.sum();
    }

    /** Returns the share of allowed answers. Reads each sum once, because other threads continue to count. */
    double allowedShare() {
        long no = denied.sum();
        long yes = allowed.sum();
        return (double) yes / (yes + no);
    }

    long errors() {
        return errors.sum();
    }

    Optional<Throwable> firstError() {
        return Optional.ofNullable(firstError.get());
    }

    /** Returns the latency of all answers since the start or the last call. */
    Latency latency() {
        Histogram histogram = nanos.getIntervalHistogram();
        return new Latency(
                histogram.getValueAtPercentile(50) / NANOS_PER_MICRO,
                histogram.getValueAtPercentile(99) / NANOS_PER_MICRO);
    }
}
