package dev.penstock.bench.load;

import java.time.Duration;

/** The numbers of a limit, the same for every contender: permits per period, all of which may be used at once. */
public record LoadRate(int permits, Duration period) {
    /** More than any machine requests: everything is allowed except costs above the capacity. */
    public static final LoadRate ABUNDANT = new LoadRate(1_000_000_000, Duration.ofSeconds(1));

    /** Used up at once: later requests are denied. */
    public static final LoadRate SCARCE = new LoadRate(100, Duration.ofMinutes(1));

    /** So low that a thousand times the rate can be requested. */
    public static final LoadRate ATTACKED = new LoadRate(50, Duration.ofSeconds(1));

    /**
     * Enough for one of a million keys during a turn. A used permit comes back after more than a minute, so no key
     * becomes idle and is evicted during a measurement.
     */
    public static final LoadRate MILLIONTH = new LoadRate(1_000, Duration.ofDays(1));

    /** The corresponding rates for one user of 100,000, one tenant of 1,000 and one route of 50. */
    public static final LoadRate USER = new LoadRate(10_000, Duration.ofDays(1));

    public static final LoadRate TENANT = new LoadRate(1_000_000, Duration.ofDays(1));
    public static final LoadRate ROUTE = new LoadRate(20_000_000, Duration.ofDays(1));
}
