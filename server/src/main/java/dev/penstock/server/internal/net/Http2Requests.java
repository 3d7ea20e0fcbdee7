package dev.penstock.server.internal.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Refuses HTTP/2 requests that lack a pseudo-header or repeat one (RFC 9113, section 8.3), and unfinished requests for
 * which there is no room. The error affects only the stream of the request.
 *
 * <p>Called on the connection's event loop only.
 */
final class Http2Requests extends Http2FrameListenerDecorator {
    private final Http2ConnectionHandler handler;
    private final ChannelHandlerContext handlerContext;
    private final Http2Connection connection;
    private final Http2Connection.PropertyKey headerBytes;
    private final Http2Connection.PropertyKey countedBytes;
    private final ResetLimit resets;
    private final UnfinishedRequests unfinished;

    /** The streams whose header has arrived in the current read, but not yet the end of the request. */
    private final List<Http2Stream> begun = new ArrayList<>();

    Http2Requests(
            Http2ConnectionHandler handler,
            ChannelHandlerContext handlerContext,
            ResetLimit resets,
            UnfinishedRequests unfinished) {
        super(handler.decoder().frameListener());
        this.handler = handler;
        this.handlerContext = handlerContext;
        this.connection = handler.connection();
        this.headerBytes = connection.newKey();
        this.countedBytes = connection.newKey();
        this.resets = resets;
        this.unfinished = unfinished;
        connection.addListener(new Http2ConnectionAdapter() {
            @Override
            public void onStreamClosed(Http2Stream stream) {
                forget(stream);
            }
        });
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context, int streamId, Http2Headers headers, int padding, boolean endOfStream)
            throws Http2Exception {
        check(streamId, headers, endOfStream);
        super.onHeadersRead(context, streamId, headers, padding, endOfStream);
    }

    @Override
    public void onHeadersRead(
            ChannelHandlerContext context,
            int streamId,
            Http2Headers headers,
            int streamDependency,
            short weight,
            boolean exclusive,
            int padding,
            boolean endOfStream)
            throws Http2Exception {
        check(streamId, headers, endOfStream);
        super.onHeadersRead(context, streamId, headers, streamDependency, weight, exclusive, padding, endOfStream);
    }

    private void check(int streamId, Http2Headers headers, boolean endOfStream) throws Http2Exception {
        Http2Stream stream = connection.stream(streamId);
        if (stream == null || stream.getProperty(headerBytes) != null) { // trailers
            return;
        }
        int bytes = UnfinishedRequests.REQUEST_BYTES;
        int seen = 0;
        for (Map.Entry<CharSequence, CharSequence> each : headers) {
            bytes += each.getKey().length() + each.getValue().length();
            PseudoHeaderName name = PseudoHeaderName.hasPseudoHeaderFormat(each.getKey())
                    ? PseudoHeaderName.getPseudoHeader(each.getKey())
                    : null;
            if (name != null) {
                int flag = flag(name);
                expect((seen & flag) == 0, streamId, "a pseudo-header twice");
                seen |= flag;
            }
        }
        stream.setProperty(headerBytes, bytes);
        if (!endOfStream) {
            begun.add(stream);
        }
        boolean isConnect = "CONNECT".contentEquals(headers.method() == null ? "" : headers.method());
        expect(headers.method() != null, streamId, "no :method");
        expect(isConnect || (headers.path() != null && headers.path().length() > 0), streamId, "no :path");
        expect(isConnect || headers.scheme() != null, streamId, "no :scheme");
    }

    private static int flag(PseudoHeaderName name) {
        return switch (name) {
            case METHOD -> 1;
            case SCHEME -> 2;
            case AUTHORITY -> 4;
            case PATH -> 8;
            default -> 16;
        };
    }

    private static void expect(boolean isMet, int streamId, String otherwise) throws Http2Exception {
        if (!isMet) {
            throw Http2Exception.streamError(streamId, Http2Error.PROTOCOL_ERROR, otherwise);
        }
    }

    @Override
    public int onDataRead(ChannelHandlerContext context, int streamId, ByteBuf data, int padding, boolean endOfStream)
            throws Http2Exception {
        Http2Stream stream = connection.stream(streamId);
        if (stream != null && endOfStream) {
            forget(stream);
        } else if (stream != null && !hasRoom(stream, data.readableBytes() + UnfinishedRequests.PART_BYTES)) {
            throw Http2Exception.streamError(streamId, Http2Error.ENHANCE_YOUR_CALM, "too many unfinished requests");
        }
        return super.onDataRead(context, streamId, data, padding, endOfStream);
    }

    private boolean hasRoom(Http2Stream stream, int more) {
        Integer before = stream.getProperty(countedBytes);
        stream.setProperty(countedBytes, (before == null ? 0 : before) + more);
        return unfinished.add(more);
    }

    private void forget(Http2Stream stream) {
        begun.remove(stream);
        Integer bytes = stream.removeProperty(countedBytes);
        if (bytes != null) {
            unfinished.remove(bytes);
        }
    }

    /** Returns a handler for the bytes that are decoded here. It counts the requests that they begin and do not end. */
    ChannelHandler bytes() {
        return new ChannelInboundHandlerAdapter() {
            @Override
            public void channelRead(ChannelHandlerContext context, Object message) {
                context.fireChannelRead(message);
                if (!begun.isEmpty()) {
                    countBegun();
                }
            }
        };
    }

    private void countBegun() {
        List<Http2Stream> streams = List.copyOf(begun);
        begun.clear();
        for (Http2Stream stream : streams) {
            Integer bytes = stream.getProperty(headerBytes);
            if (bytes != null && !hasRoom(stream, bytes)) {
                var unused = handler.resetStream(
                        handlerContext, stream.id(), Http2Error.ENHANCE_YOUR_CALM.code(), handlerContext.newPromise());
                handlerContext.flush();
            }
        }
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext context, int streamId, long errorCode) throws Http2Exception {
        super.onRstStreamRead(context, streamId, errorCode);
        resets.add();
    }
}
