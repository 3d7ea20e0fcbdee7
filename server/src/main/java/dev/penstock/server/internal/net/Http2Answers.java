package dev.penstock.server.internal.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionDecoder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;

/**
 * The flow control of a connection's answers. It reports the answers that it holds back. Answers that can be sent at
 * once, as most can, cost nothing extra.
 *
 * <p>After an upgrade from HTTP/1.1, bodies wait for the client's settings, which show that the client has switched to
 * HTTP/2. Until then, Java's own client may lose what it cannot read together with the response 101.
 *
 * <p>Called on the connection's event loop only.
 */
final class Http2Answers extends DefaultHttp2RemoteFlowController {
    private final Http2Connection connection;
    private final Http2ConnectionDecoder decoder;
    private final UnreadAnswers unread;

    Http2Answers(Http2ConnectionDecoder decoder, UnreadAnswers unread) {
        super(decoder.connection());
        this.connection = decoder.connection();
        this.decoder = decoder;
        this.unread = unread;
    }

    @Override
    public void addFlowControlled(Http2Stream stream, FlowControlled frame) {
        if (frame.size() == 0 || fits(stream, frame.size())) {
            super.addFlowControlled(stream, frame);
        } else {
            long bytes = frame.size() + UnreadAnswers.STREAM_BYTES;
            super.addFlowControlled(stream, new HeldBack(frame));
            unread.heldBack(bytes);
        }
    }

    private boolean fits(Http2Stream stream, int bytes) {
        return decoder.prefaceReceived()
                && bytes <= windowSize(stream)
                && bytes <= windowSize(connection.connectionStream())
                && bytes <= channelHandlerContext().channel().bytesBeforeUnwritable()
                && !hasFlowControlled(stream);
    }

    @Override
    public void writePendingBytes() throws Http2Exception {
        if (decoder.prefaceReceived()) {
            super.writePendingBytes();
        }
    }

    /** A frame that is counted, together with its stream, until it is written or given up. */
    private final class HeldBack implements FlowControlled {
        private final FlowControlled frame;
        private boolean isOver;

        private HeldBack(FlowControlled frame) {
            this.frame = frame;
        }

        @Override
        public int size() {
            return frame.size();
        }

        @Override
        public void error(ChannelHandlerContext context, Throwable cause) {
            int bytes = frame.size();
            frame.error(context, cause);
            unread.letGo(bytes);
            end();
        }

        @Override
        public void writeComplete() {
            frame.writeComplete();
            end();
        }

        @Override
        public void write(ChannelHandlerContext context, int allowedBytes) {
            int before = frame.size();
            frame.write(context, allowedBytes);
            unread.letGo(before - frame.size());
        }

        @Override
        public boolean merge(ChannelHandlerContext context, FlowControlled next) {
            boolean isMerged = next instanceof HeldBack other && frame.merge(context, other.frame);
            if (isMerged) {
                ((HeldBack) next).end();
            }
            return isMerged;
        }

        private void end() {
            if (!isOver) {
                isOver = true;
                unread.letGo(UnreadAnswers.STREAM_BYTES);
            }
        }
    }
}
