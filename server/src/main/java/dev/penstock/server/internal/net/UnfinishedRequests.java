package dev.penstock.server.internal.net;

import io.netty.channel.Channel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The memory for requests that one client has begun and not finished: headers and parts of bodies. A request that
 * arrives whole is not counted.
 *
 * <p>While all clients together hold too much, a client that holds little is not refused at once, because the rest of
 * its request may be on its way. It is disconnected if that takes longer than a moment.
 *
 * <p>Called on the connection's event loop only.
 */
final class UnfinishedRequests {
    /** The maximum per connection. One body always fits. */
    static final long MOST_BYTES = 16 << 20;

    /**
     * The memory that a request and its header take, besides the bytes of the header. A client may begin many requests
     * with short headers.
     */
    static final int REQUEST_BYTES = 4 << 10;

    /** The memory that a part of a body takes, besides its bytes. A client may send a body byte by byte. */
    static final int PART_BYTES = 256;

    private static final long LITTLE_BYTES = 64 << 10;
    private static final long MOMENT_MILLIS = 200;

    private final Channel channel;
    private final long mostBytes;
    private final BufferBudget budget;
    private long bytes;
    private @Nullable Future<?> timer;

    UnfinishedRequests(Channel channel, long longestBody, BufferBudget budget) {
        this.channel = channel;
        this.mostBytes = Math.max(MOST_BYTES, longestBody);
        this.budget = budget;
    }

    /** Counts bytes, even if there is no room for them. Returns true if there is room. */
    boolean add(long more) {
        bytes += more;
        boolean isWithinBudget = budget.take(more);
        if (bytes > mostBytes || (!isWithinBudget && bytes > LITTLE_BYTES)) {
            return false;
        }
        if (!isWithinBudget && timer == null) {
            timer = channel.eventLoop().schedule(this::look, MOMENT_MILLIS, TimeUnit.MILLISECONDS);
        }
        return true;
    }

    private void look() {
        timer = null;
        if (budget.isExceeded()) {
            ForcedClose.now(channel);
        }
    }

    /** Removes the bytes of a request that was finished or given up. */
    void remove(long less) {
        bytes -= less;
        budget.giveBack(less);
        if (bytes == 0 && timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }
}
