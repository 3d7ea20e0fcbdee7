package dev.penstock.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;

/**
 * The series that come into being as decisions are made: at most so many, and what is above them is refused and counted. The
 * registry reads them when it is asked, and has no part in the counting.
 */
final class Series {
    /** What stands in labels for everything that has no series of its own. */
    static final String OTHERS = "(others)";

    /** What stands in labels for what is not there. */
    static final String NONE = "none";

    private final MeterRegistry registry;
    private final int most;
    private final AtomicInteger count = new AtomicInteger();
    private final LongAdder refused = new LongAdder();

    Series(MeterRegistry registry, int most) {
        this.registry = registry;
        this.most = most;
        Gauge.builder("rate.limiter.series", count, AtomicInteger::get)
                .description(
                        "Series of decisions that there are, of those that have labels; at most 10,000 unless told otherwise.")
                .register(registry);
        counter(
                "rate.limiter.series.refused",
                "How often something new was counted under (others), because there were too many series.",
                Tags.empty(),
                refused);
    }

    /** Takes the place of one more series; false, which is counted, where there is none left. */
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
