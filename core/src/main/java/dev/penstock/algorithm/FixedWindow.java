package dev.penstock.algorithm;

import dev.penstock.Costs;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * At most {@code permits} in each window. Windows are aligned to the epoch. Two bursts can meet at a window boundary.
 */
public record FixedWindow(long permits, Duration window) implements Algorithm {
    public FixedWindow {
        Expect.between(permits, 1, Costs.MAX, "permits");
        Expect.micros(window, LONGEST, "window");
    }

    @Override
    public String word() {
        return "fixed_window";
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
    public FixedWindow share(int nodes) {
        return new FixedWindow(Math.max(1, permits / nodes), window);
    }
}
