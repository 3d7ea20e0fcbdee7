package dev.penstock.algorithm;

import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * No more than so many permits in <em>any</em> window of the length: one entry is kept per request, so the limit is
 * capped at {@value #MOST} permits.
 */
public record SlidingLog(long permits, Duration window) implements Algorithm {
    /** Beyond this the entries of one key cost too much; a sliding_window costs the same for any number. */
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
