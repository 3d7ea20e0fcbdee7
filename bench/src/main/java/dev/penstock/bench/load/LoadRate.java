package dev.penstock.bench.load;

import java.time.Duration;

/** The numbers of a limit, the same for every contender: so many permits in a period, all of which may go at once. */
public record LoadRate(int permits, Duration period) {
    /** More than any machine asks for: everything is allowed that is not above the capacity. */
    public static final LoadRate ABUNDANT = new LoadRate(1_000_000_000, Duration.ofSeconds(1));

    /** Used up at once: what follows is denied. */
    public static final LoadRate SCARCE = new LoadRate(100, Duration.ofMinutes(1));

    /** So little that a thousand times as much can be asked for. */
    public static final LoadRate ATTACKED = new LoadRate(50, Duration.ofSeconds(1));

    /**
     * Enough for a key of a million during a turn, and a permit once used is away for over a minute: so no key is idle
     * and could be forgotten while it is measured.
     */
    public static final LoadRate MILLIONTH = new LoadRate(1_000, Duration.ofDays(1));

    /** The same for one user of 100,000, one tenant of 1,000 and one route of 50. */
    public static final LoadRate USER = new LoadRate(10_000, Duration.ofDays(1));

    public static final LoadRate TENANT = new LoadRate(1_000_000, Duration.ofDays(1));
    public static final LoadRate ROUTE = new LoadRate(20_000_000, Duration.ofDays(1));
}
