package dev.penstock.server.internal.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Counts the answers that wait because one client does not read: those that its socket does not take, and those that HTTP/2's flow
 * control holds back. The client is cut if they are too many bytes, for it or for the process, or if none of them leaves for too
 * long.
 *
 * <p>A client that reads its answers costs nothing here. Called on the connection's event loop only.
 */
final class UnreadAnswers {
    /** Per connection. */
    static final long MOST_BYTES = 8 << 20;

    /** What the server keeps for a stream of HTTP/2 whose answer has to wait, beside the answer. Measured: 3 KB. */
    static final long STREAM_BYTES = 4 << 10;

    /** From here on a client is cut at once if all clients together hold too much; below, if that lasts for a moment. */
    static final long LARGE_BYTES = 64 << 10;

    /** How often the answers that wait are counted again: a socket does not report that it took them. */
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

    /** Counts the bytes that wait for the socket now, after some were written or flushed. */
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

    /** What Netty keeps for the socket, with its own overhead for each buffer. */
    private long pendingBytes() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes(); // null: closed
    }

    /** Flow control holds bytes back. */
    void heldBack(long bytes) {
        heldBackBytes += bytes;
        take(bytes);
    }

    /** Flow control let bytes go, or they are not to be sent any more. */
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

    /** The answers of a client that reads may wait for a moment as well, but they are few. */
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

    /** The connection is closed; flow control gives up what it holds back by itself. */
    void close() {
        budget.giveBack(socketBytes);
        socketBytes = 0;
        stop();
    }
}
