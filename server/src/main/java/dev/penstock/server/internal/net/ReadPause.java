package dev.penstock.server.internal.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;

/**
 * Stops reading from a client while answers to it wait: while more than {@link #UNREAD} bytes of them wait for the client to read,
 * or, for HTTP/1, while a request has no answer yet and the client has sent more. So pipelined requests are handled one after the
 * other. {@link UnreadAnswers} cuts a client that does not read.
 *
 * <p>Sees bytes in clear, before anything is made of them. Called on the connection's event loop only.
 */
final class ReadPause extends ChannelDuplexHandler {
    /** Reading stops above the higher mark, and goes on below the lower one. */
    static final WriteBufferWaterMark UNREAD = new WriteBufferWaterMark(128 << 10, 256 << 10);

    /** Bytes of HTTP/1 that are passed on between two looks at the answers: a request can be as short as 20 bytes. */
    private static final int PIECE_BYTES = 2 << 10;

    private final Channel channel;
    private final UnreadAnswers unread;
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>(0);
    private boolean isHttp2;
    private boolean isPaused;
    private boolean isResuming;
    private boolean isReadWanted;
    private boolean isReceiving;
    private boolean isUnanswered;

    ReadPause(Channel channel, UnreadAnswers unread) {
        this.channel = channel;
        this.unread = unread;
        channel.config().setWriteBufferWaterMark(UNREAD);
    }

    /** The client speaks HTTP/2, which bounds the requests under way by itself. */
    void isHttp2() {
        isHttp2 = true;
    }

    /** The header of a request of HTTP/1 came in, and the one before it is answered. */
    void asked() {
        isUnanswered = true;
        isReceiving = true;
        if (isPaused) { // its body may be held here
            resumeSoon();
        }
    }

    /** The request of HTTP/1 has come in to its end. */
    void received() {
        isReceiving = false;
    }

    /** The last request of HTTP/1 that has come in is answered. */
    void answered() {
        isUnanswered = false;
        if (isPaused) {
            resumeSoon();
        }
    }

    private boolean hasToWait() {
        boolean isPipelined = isUnanswered && !isReceiving && !isHttp2;
        return isPipelined || !channel.isWritable();
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

    /** Passes bytes on, until answers have to be waited for. Of many short requests of HTTP/1 it passes on a few at a time. */
    private void pass(ChannelHandlerContext context, ByteBuf bytes) {
        boolean isTurnOver = false;
        while (!isHttp2 && !isTurnOver && !hasToWait() && bytes.readableBytes() > PIECE_BYTES) {
            context.fireChannelRead(bytes.readRetainedSlice(PIECE_BYTES));
            isTurnOver = !isReceiving;
        }
        if (!isTurnOver && !hasToWait()) {
            context.fireChannelRead(bytes);
        } else {
            held.addFirst(bytes);
        }
        if (!held.isEmpty() || !channel.isWritable()) {
            pause();
            resumeSoon();
        }
    }

    private void pause() {
        if (!isPaused) {
            isPaused = true;
            isReadWanted |= channel.config().isAutoRead();
            channel.config().setAutoRead(false);
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
        if (channel.isWritable() && isPaused) {
            resumeSoon();
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

    /** Many short answers can be written before the first flush, such as those to pings. */
    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        var unused = context.write(message, promise);
        if (!channel.isWritable()) {
            unread.count();
        }
    }

    @Override
    public void flush(ChannelHandlerContext context) {
        context.flush();
        unread.count();
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
        unread.close();
        held.forEach(ReferenceCountUtil::release);
        held.clear();
    }
}
