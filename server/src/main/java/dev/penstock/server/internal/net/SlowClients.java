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
 * Cuts a connection whose client takes too long to complete the TLS handshake, the header of a request, an HTTP/2 frame
 * or the header frames of HTTP/2. The server itself times request bodies.
 *
 * <p>A request that arrives at once, as most do, starts no timer. Called on the connection's event loop only.
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

    /** Returns a handler for decrypted bytes, before they are decoded. */
    ChannelHandler bytes() {
        return new Bytes();
    }

    /** Returns a handler for requests, before the server handles them. */
    ChannelHandler requests() {
        return new Requests();
    }

    /** Starts the timer of the TLS handshake. */
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

    /** Sees requests whose header has arrived. */
    private final class Requests extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            if (message instanceof HttpRequest request) {
                coming = request;
            }
            arrived = true;
            if (!isReading) { // it had to wait for the previous answer
                stop();
            }
            context.fireChannelRead(message);
        }

        /**
         * Drops events of failed expectations. The server answers such requests anyway, and would also log each event.
         */
        @Override
        public void userEventTriggered(ChannelHandlerContext context, Object event) {
            if (!(event instanceof HttpExpectationFailedEvent)) {
                context.fireUserEventTriggered(event);
            }
        }
    }

    /** Sees decrypted bytes before they are decoded. Decoding is complete when the call that passes them on returns. */
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
