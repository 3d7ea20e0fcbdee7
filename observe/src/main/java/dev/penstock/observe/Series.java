package dev.penstock.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;

/**
 * The series that are created as decisions are made. Their number is bounded; further ones are refused and counted. The
 * registry only reads them.
 */
final class Series {
    /** The label for everything without its own series. */
    static final String OTHERS = "(others)";

    /** The label for absent values. */
    static final String NONE = "none";

    private final MeterRegistry registry;
    private final int most;
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder refused = new LongAdder();

    Series(MeterRegistry registry, int most) {
        this.registry = registry;
        this.most = most;
        Gauge.builder("rate.limiter.series", count, AtomicInteger::get)
                .description("Number of time series with decision labels, at most metrics.series.")
                .register(registry);
        counter(
                "rate.limiter.series.refused",
                "Number of times that a new series was counted as (others) because there were too many.",
                Tags.empty(),
                refused);
    }

    /** Reserves room for one more series. Returns false, and counts the refusal, if there is none left. */
    boolean isTaken() {
        if (count.getAndUpdate(now -> now < most ? now + 1 : now) < most) {
            return true;
        }
        refused.increment();
        return false;
    }

    boolean isFull() {
        return count.get() >= most;
    }

    void refuse() {
        refused.increment();
    }

    void counter(String name, String description, Tags tags, LongAdder counted) {
        FunctionCounter.builder(name, counted, LongAdder::sum)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    <T> void gauge(String name, String description, Tags tags, T of, ToDoubleFunction<T> value) {
        Gauge.builder(name, of, value).description(description).tags(tags).register(registry);
    }
}
