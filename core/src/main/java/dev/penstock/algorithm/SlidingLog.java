package dev.penstock.algorithm;

import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * At most {@code permits} in <em>any</em> window of the length. One entry is kept per request, so the limit is at most
 * {@value #MOST} permits.
 */
public record SlidingLog(long permits, Duration window) implements Algorithm {
    /**
     * Maximum number of permits. More entries per key would cost too much. A sliding window costs the same for any
     * number.
     */
    public static final long MOST = 100_000;

    public SlidingLog {
        Expect.positive(permits, "permits");
        Expect.that(
                permits <= MOST,
                "permits",
                permits,
                "<= " + MOST + " for a sliding_log, which keeps every request;" + " a sliding_window takes more");
        Expect.micros(window, LONGEST, "window");
    }

    @Override
    public String word() {
        return "sliding_log";
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
    public SlidingLog share(int nodes) {
        return new SlidingLog(Math.max(1, permits / nodes), window);
    }
}
