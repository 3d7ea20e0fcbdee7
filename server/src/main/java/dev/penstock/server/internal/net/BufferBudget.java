package dev.penstock.server.internal.net;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The number of bytes that clients may make the process hold at a time: answers that they do not read, and requests
 * that they do not finish. Answers that are sent at once and requests that arrive whole are not counted.
 *
 * <p>Thread-safe.
 */
public final class BufferBudget {
    private static final int SHARE_OF_HEAP = 8;

    private final long mostBytes;
    private final AtomicLong bytes = new AtomicLong();

    private BufferBudget(long mostBytes) {
        this.mostBytes = mostBytes;
    }

    /**
     * Creates an unused budget.
     *
     * @param mostBytes the maximum; 0 means an eighth of the heap
     */
    public static BufferBudget of(long mostBytes) {
        return new BufferBudget(mostBytes > 0 ? mostBytes : Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    /** Takes bytes, even if that exceeds the budget. Returns true if the budget is not exceeded. */
    boolean take(long more) {
        return bytes.addAndGet(more) <= mostBytes;
    }

    boolean isExceeded() {
        return bytes.get() > mostBytes;
    }

    void giveBack(long less) {
        bytes.addAndGet(-less);
    }

    /** Returns the maximum number of bytes. */
    public long mostBytes() {
        return mostBytes;
    }

    /** Returns the number of bytes that are held now. */
    public long bytes() {
        return bytes.get();
    }
}
