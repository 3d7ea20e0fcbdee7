package dev.penstock.server.internal.net;

import com.linecorp.armeria.common.HttpRequest;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpExpectationFailedEvent;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a connection whose client takes too long: over TLS's handshake, over the header of a request (the time of a body is
 * the server's to keep), over a frame or the header frames of HTTP/2.
 *
 * <p>A request that comes in at once, as most do, starts no timer. Called on the connection's event loop only.
 */
final class SlowClients {
    private final Channel channel;
    private final long slowestMillis;
    private final Http2Units units = new Http2Units();
    private @Nullable Future<?> timer;
    private long timedUnit;
    private @Nullable HttpRequest coming;
    private boolean arrived;
    private boolean isReading;

    SlowClients(Channel channel, long slowestMillis) {
        this.channel = channel;
        this.slowestMillis = slowestMillis;
    }

    /** Sees what is read, in clear, before anything is made of it. */
    ChannelHandler bytes() {
        return new Bytes();
    }

    /** Sees requests, before the server does. */
    ChannelHandler requests() {
        return new Requests();
    }

    /** Begins to time TLS's handshake. */
    void handshakeBegins() {
        start();
    }

    void handshakeEnds() {
        stop();
    }

    private void start() {
        timer = channel.eventLoop().schedule(() -> ForcedClose.now(channel), slowestMillis, TimeUnit.MILLISECONDS);
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

    /** Sees requests whose header has come in. */
    private final class Requests extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                coming = request;
            }
            arrived = true;
            if (!isReading) { // it had to wait for the answer to the one before it
                stop();
            }
            context.fireChannelRead(message);
        }

        /** The server answers an expectation that it cannot meet, and would log each of these events besides. */
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (!(event instanceof HttpExpectationFailedEvent)) {
                context.fireUserEventTriggered(event);
            }
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
            isReading = true;
            context.fireChannelRead(message);
            isReading = false;
            if (units.isHttp2()) {
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
