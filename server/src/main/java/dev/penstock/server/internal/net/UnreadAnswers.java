package dev.penstock.server.internal.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts the answers that wait because one client does not read: bytes that its socket does not accept, and bytes that
 * HTTP/2 flow control holds back. Cuts the client if they exceed the bound of the connection or of the process, or if
 * none of them is sent for too long.
 *
 * <p>A client that reads its answers costs nothing here. Called on the connection's event loop only.
 */
final class UnreadAnswers {
    /** The maximum per connection. */
    static final long MOST_BYTES = 8 << 20;

    /**
     * The memory that the server uses for an HTTP/2 stream whose answer has to wait, besides the answer. Measured: 3
     * KB.
     */
    static final long STREAM_BYTES = 4 << 10;

    /**
     * When all clients together hold too much, a client with at least this many bytes is cut at once. A client with
     * fewer is cut only if the condition persists.
     */
    static final long LARGE_BYTES = 64 << 10;

    /** How often the waiting answers are counted again, because a socket does not report what it has accepted. */
    private static final long LOOK_MILLIS = 200;

    private final Channel channel;
    private final long slowestMillis;
    private final BufferBudget budget;
    private long socketBytes;
    private long heldBackBytes;
    private boolean hasMoved;
    private long stillMillis;
    private @Nullable Future<?> timer;

    UnreadAnswers(Channel channel, long slowestMillis, BufferBudget budget) {
        this.channel = channel;
        this.slowestMillis = slowestMillis;
        this.budget = budget;
    }

    /** Counts the bytes that wait for the socket now. Called after some were written or flushed. */
    void count() {
        long bytes = pendingBytes();
        if (bytes == socketBytes) {
            return;
        }
        long more = bytes - socketBytes;
        socketBytes = bytes;
        if (more > 0) {
            take(more);
        } else {
            gone(-more);
        }
    }

    /** Returns the bytes that Netty keeps for the socket, including its overhead for each buffer. */
    private long pendingBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes(); // null: closed
    }

    /** Called when flow control holds bytes back. */
    void heldBack(long bytes) {
        heldBackBytes += bytes;
        take(bytes);
    }

    /** Called when flow control releases bytes or discards them. */
    void letGo(long bytes) {
        heldBackBytes -= bytes;
        gone(bytes);
    }

    private void take(long bytes) {
        boolean isTooMuch = !budget.take(bytes) && isLarge();
        if (isTooMuch || socketBytes + heldBackBytes > MOST_BYTES) {
            ForcedClose.now(channel);
        } else if (timer == null) {
            start();
        }
    }

    /**
     * Returns true if this client holds many bytes. The answers of a client that reads may wait for a moment too, but
     * they are few.
     */
    private boolean isLarge() {
        return socketBytes + heldBackBytes >= LARGE_BYTES;
    }

    private void gone(long bytes) {
        budget.giveBack(bytes);
        hasMoved = true;
        if (socketBytes + heldBackBytes == 0) {
            stop();
        }
    }

    private void start() {
        hasMoved = true;
        lookSoon();
    }

    private void lookSoon() {
        long millis = Math.min(LOOK_MILLIS, slowestMillis);
        timer = channel.eventLoop().schedule(() -> look(millis), millis, TimeUnit.MILLISECONDS);
    }

    private void look(long passedMillis) {
        timer = null;
        count();
        if (socketBytes + heldBackBytes == 0) {
            return;
        }
        stillMillis = hasMoved ? 0 : stillMillis + passedMillis;
        hasMoved = false;
        if (stillMillis >= slowestMillis || budget.isExceeded()) {
            ForcedClose.now(channel);
        } else if (timer == null) {
            lookSoon();
        }
    }

    private void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    /** Called when the connection is closed. Flow control discards the bytes that it holds back itself. */
    void close() {
        budget.giveBack(socketBytes);
        socketBytes = 0;
        stop();
    }
}
