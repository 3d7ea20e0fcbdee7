package dev.penstock.algorithm;

import dev.penstock.Costs;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * At most so many permits in a window that slides, estimated from two counters: the last window counts by the share of
 * it that still overlaps. Exact integers, but an estimate by nature: an adversary can come near twice the limit within
 * one window's length; even traffic is judged right.
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
