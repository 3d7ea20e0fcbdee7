package dev.penstock.algorithm;

import dev.penstock.Costs;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * At most {@code permits} in a sliding window, estimated from two counters. The count of the previous window is
 * weighted by the part of that window that still overlaps.
 *
 * <p>The arithmetic is exact, but the result is an estimate: an adversary can get close to twice the limit within one
 * window's length. Even traffic is judged correctly.
 */
public record SlidingWindow(long permits, Duration window) implements Algorithm {
    public SlidingWindow {
        Expect.between(permits, 1, Costs.MAX, "permits");
        Expect.micros(window, LONGEST, "window");
    }

    @Override
    public String word() {
        return "sliding_window";
    }

    @Override
    public long capacity() {
        return permits;
    }

    @Override
    public String span() {
        return Durations.text(window);
    }

    @Override
    public SlidingWindow share(int nodes) {
        return new SlidingWindow(Math.max(1, permits / nodes), window);
    }
}
