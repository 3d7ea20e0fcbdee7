package dev.penstock.server.internal.net;

import io.netty.channel.Channel;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The answers that wait because one client does not read: those that its socket does not take, and those that HTTP/2's flow
 * control holds back. The client is cut when they are too many bytes, for it or for the process, or when flow control has not let
 * any of them go for too long.
 *
 * <p>Called on the connection's event loop only.
 */
final class UnreadAnswers {
    /** Per connection. */
    static final long MOST_BYTES = 8 << 20;

    private final Channel channel;
    private final long slowestMillis;
    private final BufferBudget budget;
    private long socketBytes;
    private long heldBackBytes;
    private long sentBytes;
    private long sentBefore;
    private @Nullable Future<?> timer;

    UnreadAnswers(Channel channel, long slowestMillis, BufferBudget budget) {
        this.channel = channel;
        this.slowestMillis = slowestMillis;
        this.budget = budget;
    }

    /** Bytes were written to a socket that has no room for them. */
    void socketFull(long bytes) {
        socketBytes += bytes;
        take(bytes);
    }

    /** The socket has room again. */
    void socketDrained() {
        budget.giveBack(socketBytes);
        socketBytes = 0;
    }

    /** Flow control holds bytes back. */
    void heldBack(long bytes) {
        heldBackBytes += bytes;
        take(bytes);
        if (timer == null) {
            start();
        }
    }

    /** Flow control let bytes go, or they are not to be sent any more. */
    void letGo(long bytes) {
        heldBackBytes -= bytes;
        sentBytes += bytes;
        budget.giveBack(bytes);
        if (heldBackBytes == 0) {
            stop();
        }
    }

    private void take(long bytes) {
        boolean fits = budget.take(bytes);
        if (!fits || socketBytes + heldBackBytes > MOST_BYTES) {
            Cut.now(channel);
        }
    }

    private void start() {
        sentBefore = sentBytes;
        timer = channel.eventLoop().schedule(this::look, slowestMillis, TimeUnit.MILLISECONDS);
    }

    private void look() {
        timer = null;
        if (sentBytes == sentBefore) {
            Cut.now(channel);
        } else {
            start();
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
        socketDrained();
        stop();
    }
}
