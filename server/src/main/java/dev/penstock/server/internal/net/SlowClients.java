package dev.penstock.server.internal.net;

import com.linecorp.armeria.common.HttpRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a connection whose client takes too long: over TLS's handshake, over the header of a request (the time of a body is
 * the server's to keep), over a frame or the header frames of HTTP/2; or that asks on without reading the answers.
 *
 * <p>A request that comes in at once, as most do, starts no timer. Called on the connection's event loop only.
 */
final class SlowClients {
    /** How much may wait for a client to read it while it goes on asking. */
    private static final long MOST_UNREAD_BYTES = 8 << 20;

    private final Channel channel;
    private final long slowestMillis;
    private final Http2Units units = new Http2Units();
    private @Nullable Future<?> timer;
    private long timedUnit;
    private @Nullable HttpRequest coming;
    private boolean arrived;

    private SlowClients(Channel channel, long slowestMillis) {
        this.channel = channel;
        this.slowestMillis = slowestMillis;
    }

    /**
     * Begins to watch a new connection, whose pipeline has only what the server put there.
     *
     * @param failures told of handshakes of TLS; null: in clear
     */
    static void watch(ChannelPipeline pipeline, @Nullable HandshakeFailures failures, long slowestMillis) {
        SlowClients clients = new SlowClients(pipeline.channel(), slowestMillis);
        List<String> names = pipeline.names(); // the last is Netty's own tail
        String last = names.get(names.size() - 2);
        if (failures != null) { // HTTP's handlers come behind the last, once it is known which
            pipeline.addBefore(last, null, clients.new Bytes());
            pipeline.addLast(clients.new Handshake(failures));
            clients.start();
        } else {
            pipeline.addBefore(names.get(names.size() - 3), null, clients.new Bytes());
            pipeline.addBefore(last, null, clients.new Requests());
        }
    }

    private void start() {
        timer = channel.eventLoop().schedule(this::cut, slowestMillis, TimeUnit.MILLISECONDS);
    }

    private void cut() {
        var unused = channel.close();
    }

    private void stop() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private boolean isInBody() {
        return coming != null && !coming.whenComplete().isDone();
    }

    private boolean hasUnread() {
        ChannelOutboundBuffer out = channel.unsafe().outboundBuffer();
        return out != null && out.totalPendingWriteBytes() > MOST_UNREAD_BYTES;
    }

    /** Sees TLS agreed on. */
    private final class Handshake extends ChannelInboundHandlerAdapter {
        private final HandshakeFailures failures;

        private Handshake(HandshakeFailures failures) {
            this.failures = failures;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (event instanceof SslHandshakeCompletionEvent done && done.isSuccess()) {
                stop();
                ChannelPipeline pipeline = context.pipeline();
                pipeline.addBefore(pipeline.lastContext().name(), null, new Requests());
                pipeline.remove(this);
            } else if (event instanceof SslHandshakeCompletionEvent done) {
                failures.add(done.cause());
            }
            context.fireUserEventTriggered(event);
        }
    }

    /** Sees requests whose header has come in. */
    private final class Requests extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                coming = request;
            }
            arrived = true;
            context.fireChannelRead(message);
        }
    }

    /** Sees what is read, in clear, before anything is made of it; what is made of it is known when passing it on returns. */
    private final class Bytes extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            boolean wasInBody = isInBody();
            arrived = false;
            if (message instanceof ByteBuf bytes) {
                units.read(bytes);
            }
            context.fireChannelRead(message);
            if (hasUnread()) {
                cut();
            } else if (units.isHttp2()) {
                timeUnits();
            } else if (arrived || wasInBody) {
                stop();
            } else if (timer == null) {
                start();
            }
        }

        private void timeUnits() {
            if (!units.isOpen()) {
                stop();
            } else if (timer == null || timedUnit != units.number()) {
                stop();
                timedUnit = units.number();
                start();
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            stop();
            context.fireChannelInactive();
        }
    }
}
