package dev.penstock.server.internal.net;

import dev.penstock.Clock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2FrameTypes;
import java.util.concurrent.TimeUnit;

/**
 * Cuts an HTTP/2 connection on which too many streams are reset, no matter by which side. A client can make the server
 * reset a stream as cheaply as it can reset the stream itself.
 *
 * <p>It sees the frames that the server writes, each in a separate buffer. Called on the connection's event loop only.
 */
final class ResetLimit extends ChannelOutboundHandlerAdapter {
    /** The same number as Armeria's own bound, which counts only the resets that it receives. */
    static final int MOST_PER_MINUTE = 400;

    private static final int RESET_BYTES = Http2CodecUtil.FRAME_HEADER_LENGTH + Integer.BYTES;
    private static final int TYPE_AT = 3;

    private final Http2ConnectionHandler handler;
    private final ChannelHandlerContext handlerContext;
    private final Clock clock;
    private long sinceMicros;
    private int resets;

    ResetLimit(Http2ConnectionHandler handler, ChannelHandlerContext handlerContext, Clock clock) {
        this.handler = handler;
        this.handlerContext = handlerContext;
        this.clock = clock;
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        boolean isReset = message instanceof ByteBuf frame
                && frame.readableBytes() == RESET_BYTES
                && frame.getByte(frame.readerIndex() + TYPE_AT) == Http2FrameTypes.RST_STREAM;
        var unused = context.write(message, promise);
        if (isReset) {
            add();
        }
    }

    /** Counts a reset stream. */
    void add() {
        long now = clock.micros();
        if (resets == 0 || now - sinceMicros > TimeUnit.MINUTES.toMicros(1)) {
            sinceMicros = now;
            resets = 0;
        }
        resets++;
        if (resets == MOST_PER_MINUTE + 1) {
            var unused = handler.goAway(
                    handlerContext,
                    handler.connection().remote().lastStreamCreated(),
                    Http2Error.ENHANCE_YOUR_CALM.code(),
                    Unpooled.EMPTY_BUFFER,
                    handlerContext.newPromise());
            ForcedClose.now(handlerContext.channel());
        }
    }
}
