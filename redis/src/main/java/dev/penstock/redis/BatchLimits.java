package dev.penstock.redis;

/** The limits on batches: how large one gets, and how many are under way at once. */
final class BatchLimits {
    /** The most charges in a batch, unless one ask alone has more. That keeps Redis busy for about half a millisecond. */
    static final int MAX_CHARGES = 128;

    /** The most charges of one ask in a batch. An ask with more takes {@code decide.lua}. */
    static final int MAX_CHARGES_PER_ASK = 32;

    /** From this number of charges on, the fixed cost of a batch matters little. */
    static final int LARGE_BATCH_CHARGES = 64;

    /** The number of batches under way while they are small and the way to Redis is short. */
    static final int FEW_UNDER_WAY = 2;

    /** The number of batches under way if a large one waits, or if the way to Redis is long. */
    static final int MANY_UNDER_WAY = 4;

    /** From this round trip time on, the way to Redis is long. */
    static final long LONG_TRIP_MICROS = 2_000;

    private BatchLimits() {}
}
