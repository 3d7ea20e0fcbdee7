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
 * Stops reading from a client while answers to it wait. That is the case while more than {@link #UNREAD} bytes of
 * answers are unread, or, for HTTP/1, while a request has no answer yet and the client has sent more. So pipelined
 * requests are handled one after the other. {@link UnreadAnswers} cuts a client that does not read.
 *
 * <p>It sees decrypted bytes, before they are decoded. Called on the connection's event loop only.
 */
final class ReadPause extends ChannelDuplexHandler {
    /** Reading stops above the higher mark and resumes below the lower one. */
    static final WriteBufferWaterMark UNREAD = new WriteBufferWaterMark(128 << 10, 256 << 10);

    /** The number of HTTP/1 bytes passed on between two checks for answers. A request can be as short as 20 bytes. */
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

    /** Records that the client speaks HTTP/2, which has its own bound on concurrent requests. */
    void isHttp2() {
        isHttp2 = true;
    }

    /** Called when the header of an HTTP/1 request has arrived and the previous request is answered. */
    void asked() {
        isUnanswered = true;
        isReceiving = true;
        if (isPaused) { // it may be holding the body
            resumeSoon();
        }
    }

    /** Called when an HTTP/1 request has fully arrived. */
    void received() {
        isReceiving = false;
    }

    /** Called when the last HTTP/1 request that has arrived is answered. */
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

    /**
     * Passes bytes on until an answer must be waited for. If they contain many short HTTP/1 requests, passes on a few
     * at a time.
     */
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

    /**
     * Remembers that another handler resumed reading, such as the server after a long body, while this one is still
     * paused.
     */
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

    /** Resumes later, so that the other connections of this event loop get their turn. */
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

    /**
     * Counts answers even before they are flushed, because many short ones, such as those to pings, can be written
     * before the first flush.
     */
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
