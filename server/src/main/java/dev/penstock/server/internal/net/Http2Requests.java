package dev.penstock.server.internal.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameListenerDecorator;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Headers.PseudoHeaderName;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.Map;

/**
 * Refuses, with an error of their stream alone, requests of HTTP/2 that lack a pseudo-header or have one twice (RFC 9113, section
 * 8.3), and bodies for which there is no room.
 *
 * <p>Called on the connection's event loop only.
 */
final class Http2Requests extends Http2FrameListenerDecorator {
    private final Http2Connection connection;
    private final Http2Connection.PropertyKey hasHeader;
    private final Http2Connection.PropertyKey bodyBytes;
    private final ResetLimit resets;
    private final UnfinishedBodies bodies;

    Http2Requests(Http2ConnectionHandler handler, ResetLimit resets, UnfinishedBodies bodies) {
        super(handler.decoder().frameListener());
        this.connection = handler.connection();
        this.hasHeader = connection.newKey();
        this.bodyBytes = connection.newKey();
        this.resets = resets;
        this.bodies = bodies;
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
        check(streamId, headers);
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
        check(streamId, headers);
        super.onHeadersRead(context, streamId, headers, streamDependency, weight, exclusive, padding, endOfStream);
    }

    private void check(int streamId, Http2Headers headers) throws Http2Exception {
        Http2Stream stream = connection.stream(streamId);
        if (stream == null || stream.getProperty(hasHeader) != null) { // its trailers
            return;
        }
        stream.setProperty(hasHeader, Boolean.TRUE);
        int seen = 0;
        for (Map.Entry<CharSequence, CharSequence> each : headers) {
            PseudoHeaderName name = PseudoHeaderName.hasPseudoHeaderFormat(each.getKey())
                    ? PseudoHeaderName.getPseudoHeader(each.getKey())
                    : null;
            if (name != null) {
                int flag = flag(name);
                expect((seen & flag) == 0, streamId, "a pseudo-header twice");
                seen |= flag;
            }
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
        } else if (stream != null && !remember(stream, data.readableBytes())) {
            throw Http2Exception.streamError(streamId, Http2Error.ENHANCE_YOUR_CALM, "too many unfinished bodies");
        }
        return super.onDataRead(context, streamId, data, padding, endOfStream);
    }

    private boolean remember(Http2Stream stream, int more) {
        Integer before = stream.getProperty(bodyBytes);
        stream.setProperty(bodyBytes, (before == null ? 0 : before) + more);
        return bodies.add(more);
    }

    private void forget(Http2Stream stream) {
        Integer bytes = stream.removeProperty(bodyBytes);
        if (bytes != null) {
            bodies.remove(bytes);
        }
    }

    @Override
    public void onRstStreamRead(ChannelHandlerContext context, int streamId, long errorCode) throws Http2Exception {
        super.onRstStreamRead(context, streamId, errorCode);
        resets.add();
    }
}
