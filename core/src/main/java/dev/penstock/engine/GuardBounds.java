package dev.penstock.engine;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.internal.Expect;
import dev.penstock.spi.Ask;
import java.time.Duration;

/** The valid range and the default of each setting of a {@link Guard}. */
final class GuardBounds {
    static final Duration DEFAULT_DEADLINE = Duration.ofMillis(100);
    static final Duration DEFAULT_MAX_WAIT = Duration.ofSeconds(1);
    static final int DEFAULT_MAX_WAITING = 4_096;
    static final Duration DEFAULT_LOCAL_FOR = Duration.ofMinutes(10);
    static final Duration DEFAULT_REMEMBER_FOR = Duration.ofMinutes(1);

    private static final int LARGEST_MAX_WAITING = 1_000_000;
    static final int LARGEST_MAX_KEYS = 10_000_000;
    private static final int MOST_DEFAULT_KEYS = 100_000;

    /**
     * An upper estimate of the memory for one report and one share. The default number of keys then fills at most
     * a quarter of the heap.
     */
    private static final int BYTES_PER_KEY = 1_000;

    private GuardBounds() {}

    static Duration deadline(Duration atMost) {
        Expect.micros(atMost, Ask.LONGEST_WAIT, "deadline");
        return atMost;
    }

    static Duration maxWait(Duration atMost) {
        Expect.micros(atMost, Ask.LONGEST_WAIT, "maxWait");
        return atMost;
    }

    static Duration localFor(Duration atMost) {
        Expect.micros(atMost, Algorithm.LONGEST, "localFor");
        return atMost;
    }

    static Duration rememberFor(Duration time) {
        Expect.millis(time, Algorithm.LONGEST, "rememberFor");
        return time;
    }

    static int maxWaiting(int decisions) {
        return (int) Expect.between(decisions, 1, LARGEST_MAX_WAITING, "maxWaiting");
    }

    static int nodes(int expected) {
        return (int) Expect.positive(expected, "nodes");
    }

    static int maxKeys(int most) {
        return (int) Expect.between(most, 1, LARGEST_MAX_KEYS, "maxKeys");
    }

    static int defaultMaxKeys(long heapBytes) {
        return (int) Math.min(MOST_DEFAULT_KEYS, heapBytes / 4 / BYTES_PER_KEY);
    }
}
