package dev.penstock.server.internal.net;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The bytes that clients may make the process hold at a time: answers that they do not read, and bodies that they do not finish.
 * Answers that go out at once and bodies that arrive whole are not counted.
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
     * A budget of which nothing is taken.
     *
     * @param mostBytes 0: an eighth of the heap
     */
    public static BufferBudget of(long mostBytes) {
        return new BufferBudget(mostBytes > 0 ? mostBytes : Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP);
    }

    /** Takes bytes, in any case; returns whether the budget still holds. */
    boolean take(long more) {
        return bytes.addAndGet(more) <= mostBytes;
    }

    boolean isExceeded() {
        return bytes.get() > mostBytes;
    }

    void giveBack(long less) {
        bytes.addAndGet(-less);
    }

    /** The most bytes that may be held. */
    public long mostBytes() {
        return mostBytes;
    }

    /** The bytes that are held now. */
    public long bytes() {
        return bytes.get();
    }
}
