package dev.penstock.internal.memory;

/**
 * The numbers of accounts, permits and answers that fit in a heap, from their measured sizes. Clients choose keys, permits and
 * request ids, so each of these numbers has a bound that leaves room for the rest of the process.
 */
public final class MemoryBounds {
    private static final int MOST_DEFAULT_KEYS = 1_000_000;

    /** Measured: 114 bytes with a short key, 146 with a key of 200 characters. */
    private static final int ACCOUNT_BYTES = 150;

    /** Measured: 1,500 bytes for a permit with two charges. */
    private static final int PERMIT_BYTES = 1_500;

    /** Measured: 730 bytes for the answer to a request with two charges. */
    private static final int ANSWER_BYTES = 1_000;

    private MemoryBounds() {}

    /** Returns the default maximum number of accounts: they take at most a quarter of the heap. */
    public static int defaultMaxKeys(long heapBytes) {
        return (int) Math.min(MOST_DEFAULT_KEYS, heapBytes / 4 / ACCOUNT_BYTES);
    }

    /** Returns the maximum number of permits: they take at most a quarter of the heap. */
    static int maxPermits(int maxKeys, long heapBytes) {
        return (int) Math.min(maxKeys, heapBytes / 4 / PERMIT_BYTES);
    }

    /** Returns the maximum number of answers to requests with an id: they take at most an eighth of the heap. */
    static int maxAnswers(int maxKeys, long heapBytes) {
        return (int) Math.min(maxKeys, heapBytes / 8 / ANSWER_BYTES);
    }
}
