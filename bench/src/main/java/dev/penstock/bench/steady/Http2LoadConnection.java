package dev.penstock.bench.steady;

import dev.penstock.bench.server.Wire;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http2.DefaultHttp2FrameReader;
import io.netty.handler.codec.http2.Http2CodecUtil;
import io.netty.handler.codec.http2.Http2Error;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2FrameReader;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.handler.codec.http2.Http2Settings;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 connection without TLS, for JSON and gRPC, with many requests in flight. */
final class Http2LoadConnection extends LoadConnection {
    private static final int NONE = -1;
    private static final int RING = 2_048;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final int ACK = 1;
    private static final int FIRST_WINDOW = 65_535;
    private static final int GIVEN_WINDOW = 1 << 30;

    private final Http2FrameReader reader = new DefaultHttp2FrameReader();
    private final Frames frames = new Frames();

    /** Indexed by stream: the request, its status, and the result in its body. */
    private final int[] requests = new int[RING];

    private final int[] statuses = new int[RING];
    private final AnswerKind[] kinds = new AnswerKind[RING];

    private int nextStream = 1;
    private int underway;
    private int window = FIRST_WINDOW;
    private int received;
    private boolean isEnding;

    Http2LoadConnection(RequestTemplate template, Listener listener) {
        super(template, listener);
        Arrays.fill(requests, NONE);
    }

    @Override
    void begin(ByteBuf to) {
        to.writeBytes(Http2CodecUtil.connectionPrefaceBuf());
        frame(to, 0, SETTINGS, 0, 0);
        frame(to, Integer.BYTES, WINDOW_UPDATE, 0, 0);
        to.writeInt(GIVEN_WINDOW);
    }

    private static void frame(ByteBuf to, int length, int type, int flags, int stream) {
        to.writeMedium(length);
        to.writeByte(type);
        to.writeByte(flags);
        to.writeInt(stream);
    }

    @Override
    boolean isFree() {
        return isOpen()
                && !isEnding
                && underway < LoadPlan.STREAMS_PER_CONNECTION
                && window >= template().bodyLength()
                && requests[slot(nextStream)] == NONE;
    }

    private static int slot(int stream) {
        return (stream >>> 1) & (RING - 1);
    }

    @Override
    void send(int request, int user) {
        int slot = slot(nextStream);
        requests[slot] = request;
        statuses[slot] = 0;
        kinds[slot] = AnswerKind.FAILED;
        underway++;
        window -= template().bodyLength();
        template().write(unsent(), user, nextStream);
        nextStream += 2;
    }

    @Override
    void read(ChannelHandlerContext ctx, ByteBuf in) throws Exception {
        reader.readFrame(ctx, in, frames);
    }

    @Override
    protected void handlerRemoved0(ChannelHandlerContext ctx) {
        super.handlerRemoved0(ctx);
        reader.close();
    }

    /** Ends a stream and reports its outcome, once. */
    private void end(int stream, @Nullable AnswerKind kind) {
        int slot = slot(stream);
        int request = requests[slot];
        if (request == NONE) {
            return;
        }
        requests[slot] = NONE;
        underway--;
        if (kind == null) {
            listener().refused(request);
        } else {
            listener().answered(request, kind);
        }
        if (isEnding && underway == 0) {
            close();
        }
    }

    @Override
    void abandon() {
        for (int slot = 0; slot < RING; slot++) {
            int request = requests[slot];
            requests[slot] = NONE;
            if (request != NONE) {
                listener().answered(request, AnswerKind.FAILED);
            }
        }
        underway = 0;
    }

    /** Reads the service's frames. */
    private final class Frames extends Http2FrameAdapter {
        @Override
        public void onSettingsRead(ChannelHandlerContext ctx, Http2Settings settings) {
            frame(unsent(), 0, SETTINGS, ACK, 0);
            flush();
        }

        @Override
        public void onPingRead(ChannelHandlerContext ctx, long data) {
            frame(unsent(), Long.BYTES, PING, ACK, 0);
            unsent().writeLong(data);
            flush();
        }

        @Override
        public void onWindowUpdateRead(ChannelHandlerContext ctx, int stream, int increment) {
            if (stream == 0) {
                window += increment;
            }
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx,
                int stream,
                Http2Headers headers,
                int dependency,
                short weight,
                boolean exclusive,
                int padding,
                boolean endStream)
                throws Http2Exception {
            onHeadersRead(ctx, stream, headers, padding, endStream);
        }

        @Override
        public void onHeadersRead(
                ChannelHandlerContext ctx, int stream, Http2Headers headers, int padding, boolean endStream) {
            int slot = slot(stream);
            if (headers.status() != null) {
                statuses[slot] = Integer.parseInt(headers.status().toString());
            }
            if (endStream) {
                CharSequence grpcStatus = headers.get("grpc-status");
                end(
                        stream,
                        template().wire() == Wire.GRPC && grpcStatus != null
                                ? AnswerKind.ofGrpc(Integer.parseInt(grpcStatus.toString()), kinds[slot])
                                : kinds[slot]);
            }
        }

        @Override
        public int onDataRead(ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean endStream) {
            int slot = slot(stream);
            int length = data.readableBytes();
            if (length > 0 && kinds[slot] == AnswerKind.FAILED) {
                kinds[slot] = template().wire() == Wire.GRPC
                        ? AnswerKind.ofEnvoyMessage(data)
                        : AnswerKind.ofJson(statuses[slot], data);
            }
            received += length + padding;
            if (received > GIVEN_WINDOW / 2) {
                frame(unsent(), Integer.BYTES, WINDOW_UPDATE, 0, 0);
                unsent().writeInt(received);
                received = 0;
            }
            if (endStream) {
                end(stream, kinds[slot]);
            }
            return length + padding;
        }

        @Override
        public void onRstStreamRead(ChannelHandlerContext ctx, int stream, long errorCode) {
            end(stream, errorCode == Http2Error.REFUSED_STREAM.code() ? null : AnswerKind.FAILED);
        }

        @Override
        public void onGoAwayRead(ChannelHandlerContext ctx, int lastStream, long errorCode, ByteBuf debugData) {
            isEnding = true;
            for (int stream = nextStream - 2; stream > lastStream && stream > 0; stream -= 2) {
                end(stream, null);
            }
            if (underway == 0) {
                close();
            }
        }
    }
}
