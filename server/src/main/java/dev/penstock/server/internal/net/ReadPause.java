package dev.penstock.server.internal.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reads no further from a client while answers to it wait: while more than {@link #UNREAD} bytes of them wait for the client to
 * read, or while too many of its requests of HTTP/1 have no answer yet. A client that leaves the answers unread for too long is
 * cut.
 *
 * <p>Sees bytes in clear, before anything is made of them. Called on the connection's event loop only.
 */
final class ReadPause extends ChannelDuplexHandler {
    /** Reading stops above the higher mark, and goes on below the lower one. */
    static final WriteBufferWaterMark UNREAD = new WriteBufferWaterMark(128 << 10, 256 << 10);

    /** Bytes that are passed on between two looks at the answers: a request of HTTP/1 can be as short as 20 bytes. */
    private static final int PIECE_BYTES = 2 << 10;

    /** What Netty takes for each buffer that waits, whatever its length: the answer to a ping has 17 bytes. */
    private static final int ENTRY_BYTES = 128;

    private final Channel channel;
    private final int mostUnanswered;
    private final long slowestMillis;
    private final UnreadAnswers unread;
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(0);
    private boolean isHttp2;
    private boolean isPaused;
    private boolean isResuming;
    private boolean isReadWanted;
    private int unanswered;
    private @Nullable Future<?> timer;

    /** @param mostUnanswered the number of requests of HTTP/1 that may wait for their answers */
    ReadPause(Channel channel, int mostUnanswered, long slowestMillis, UnreadAnswers unread) {
        this.channel = channel;
        this.mostUnanswered = mostUnanswered;
        this.slowestMillis = slowestMillis;
        this.unread = unread;
        channel.config().setWriteBufferWaterMark(UNREAD);
    }

    /** The client speaks HTTP/2, which bounds the requests under way by itself. */
    void isHttp2() {
        isHttp2 = true;
    }

    /** A request of HTTP/1 came in. */
    void asked() {
        unanswered++;
    }

    /** A request of HTTP/1 was answered. */
    void answered() {
        unanswered--;
        if (isPaused) {
            resumeSoon();
        }
    }

    private boolean hasToWait() {
        return unanswered >= mostUnanswered || !channel.isWritable();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (!(message instanceof ByteBuf bytes)) {
            context.fireChannelRead(message);
        } else if (isPaused) {
            held.add(bytes);
        } else {
            pass(context, bytes);
        }
    }

    /** Passes bytes on, until answers have to be waited for. */
    private void pass(ChannelHandlerContext context, ByteBuf bytes) {
        while (!isHttp2 && !hasToWait() && bytes.readableBytes() > PIECE_BYTES) {
            context.fireChannelRead(bytes.readRetainedSlice(PIECE_BYTES));
        }
        if (!hasToWait()) {
            context.fireChannelRead(bytes);
        } else {
            held.addFirst(bytes);
        }
        if (hasToWait()) {
            pause();
        }
    }

    private void pause() {
        if (!isPaused) {
            isPaused = true;
            isReadWanted |= channel.config().isAutoRead();
            channel.config().setAutoRead(false);
            timer = channel.eventLoop().schedule(this::cutUnread, slowestMillis, TimeUnit.MILLISECONDS);
        }
    }

    /** Requests under way are no fault of the client; answers that it does not read are. */
    private void cutUnread() {
        timer = null;
        if (!channel.isWritable()) {
            Cut.now(channel);
        }
    }

    /** Another one who stops reading, such as the server for a long body, goes on: remembered while this one does not. */
    @Override
    public void read(ChannelHandlerContext context) {
        if (isPaused) {
            isReadWanted = true;
            channel.config().setAutoRead(false);
        } else {
            context.read();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        context.fireChannelWritabilityChanged();
        if (channel.isWritable()) {
            unread.socketDrained();
            if (isPaused) {
                resumeSoon();
            }
        }
    }

    /** Not at once, so that the other connections of this event loop get their turn. */
    private void resumeSoon() {
        if (!isResuming && !hasToWait()) {
            isResuming = true;
            channel.eventLoop().execute(this::resume);
        }
    }

    private void resume() {
        isResuming = false;
        ChannelHandlerContext context = channel.pipeline().context(this);
        if (context == null || hasToWait()) {
            return;
        }
        isPaused = false;
        stopTimer();
        boolean hasHeld = !held.isEmpty();
        while (!isPaused && !held.isEmpty()) {
            pass(context, held.remove());
        }
        if (hasHeld) {
            context.fireChannelReadComplete();
        }
        if (!isPaused && isReadWanted) {
            isReadWanted = false;
            channel.config().setAutoRead(true);
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        int bytes = !channel.isWritable() && message instanceof ByteBuf buffer ? buffer.readableBytes() : 0;
        var unused = context.write(message, promise);
        if (bytes > 0) {
            unread.socketFull(bytes + ENTRY_BYTES);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        release();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        release();
    }

    private void release() {
        stopTimer();
        unread.close();
        held.forEach(ReferenceCountUtil::release);
        held.clear();
    }
}
