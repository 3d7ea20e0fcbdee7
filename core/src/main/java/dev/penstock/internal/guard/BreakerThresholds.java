package dev.penstock.internal.guard;

/**
 * The thresholds of {@link CircuitBreaker}: when it opens, when it considers the store back, and how fast decisions
 * return.
 *
 * <p>{@code docs/adr/0013-steady.md} has the simulations that these numbers come from.
 */
final class BreakerThresholds {
    /** The length of the cells in which round trips are counted. */
    static final long CELL_MICROS = 100_000;

    /** The number of cells in a {@link TripWindow}. */
    static final int CELLS = 14;

    /** The breaker opens only if the window has at least this many round trips. */
    static final int MIN_TRIPS = 6;

    /** The breaker opens only if at least this share of them failed or was late. */
    static final double MIN_FAILED_SHARE = 0.5;

    /** The breaker opens only if the first failure in the window is at least this old. */
    static final long MIN_FAILING_MICROS = 600_000;

    /** The number of recent round trips that an open breaker considers. */
    static final int PROBES = 16;

    /** The store is considered back when this many of them were answered. */
    static final int MIN_GOOD_PROBES = 10;

    /**
     * How long one in {@value #FIRST_RETURNING_ONE_IN} decisions asks the store, and then one in {@value
     * #THEN_RETURNING_ONE_IN} for the same time.
     */
    static final long RETURN_STEP_MICROS = 250_000;

    static final int FIRST_RETURNING_ONE_IN = 4;
    static final int THEN_RETURNING_ONE_IN = 2;

    /** An estimate of the time until the store can be asked again. */
    static final long RETRY_MICROS = 1_000_000;

    private BreakerThresholds() {}
}
