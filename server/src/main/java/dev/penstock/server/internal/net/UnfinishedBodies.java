package dev.penstock.server.internal.net;

/**
 * The bytes of request bodies that one client has begun to send and not finished. A body that arrives whole is not counted.
 *
 * <p>Called on the connection's event loop only.
 */
final class UnfinishedBodies {
    /** Per connection; one body fits in any case. */
    static final long MOST_BYTES = 16 << 20;

    private final long mostBytes;
    private final BufferBudget budget;
    private long bytes;

    UnfinishedBodies(long longestBody, BufferBudget budget) {
        this.mostBytes = Math.max(MOST_BYTES, longestBody);
        this.budget = budget;
    }

    /** Counts bytes, in any case; returns whether there is room for them. */
    boolean add(long more) {
        bytes += more;
        return budget.take(more) && bytes <= mostBytes;
    }

    /** A body is finished, or given up. */
    void remove(long less) {
        bytes -= less;
        budget.giveBack(less);
    }
}
