package dev.penstock.redis;

/** The limits on the size of batches and on the number of batches in flight. */
final class BatchLimits {
    /**
     * Maximum number of charges in a batch, unless one ask alone has more. Equal asks count once, because they cost Redis
     * no more than one. It keeps Redis busy for about half a millisecond.
     */
    static final int MAX_CHARGES = 128;

    /** Maximum number of asks in a batch. Answering so many keeps the thread that reads replies busy for a millisecond. */
    static final int MAX_ASKS = 4_096;

    /** Maximum number of charges of one ask in a batch. An ask with more is decided by {@code decide.lua}. */
    static final int MAX_CHARGES_PER_ASK = 32;

    /** A batch with at least this many charges is large: its fixed cost matters little. */
    static final int LARGE_BATCH_CHARGES = 64;

    /** Maximum number of small batches in flight if the round trip to Redis is short. */
    static final int FEW_UNDER_WAY = 2;

    /** Maximum number of batches in flight if a large batch waits, or if the round trip to Redis is long. */
    static final int MANY_UNDER_WAY = 4;

    /** A round trip that takes longer than this is long. */
    static final long LONG_TRIP_MICROS = 2_000;

    private BatchLimits() {}
}
