package dev.penstock.server.internal.net;

import dev.penstock.Clock;
import io.netty.channel.Channel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionAdapter;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Stream;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The open HTTP/2 connections of a port. They are ended before the server stops, because a server that stops cuts the
 * requests in progress on them. Each client is first asked to open no more streams. Requests that the server has read
 * by the end of this notice are answered. The final GOAWAY names the last of them, so the client knows that later ones
 * were not processed.
 *
 * <p>Thread-safe.
 */
final class Http2Connections {
    /**
     * The time clients have to learn that they should open no more streams. Streams that they open in this time are
     * answered.
     */
    static final Duration NOTICE = Duration.ofMillis(500);

    /**
     * Some clients, such as Java's own until version 24, give up all requests in progress when a connection ends. So
     * the end is announced when no request is in progress, if that happens within this time.
     */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    /** New connections whose client has not sent enough yet to distinguish HTTP/2 from HTTP/1. */
    private final ChannelGroup undecided = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    private final ChannelGroup open = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
    private final long slowestMillis;

    /** @param slowestMillis how long a client may take to read the end of its connection */
    Http2Connections(long slowestMillis) {
        this.slowestMillis = slowestMillis;
    }

    /** Adds a new connection. */
    void accepted(Channel connection) {
        undecided.add(connection);
    }

    /** Records that the client speaks HTTP/1. Called on the connection's event loop. */
    void isHttp1(Channel connection) {
        undecided.remove(connection);
    }

    /** Records that the client speaks HTTP/2. Called on the connection's event loop. */
    void isHttp2(Channel connection) {
        open.add(connection);
        undecided.remove(connection);
    }

    /** Ends the connections and waits until they are closed. Cuts those that are still open after {@code atMost}. */
    void end(Duration atMost) {
        Clock clock = Clock.system();
        long untilMicros = clock.micros() + atMost.toNanos() / 1_000;
        Set<Channel> known = new HashSet<>(open);
        known.forEach(connection -> connection.eventLoop().execute(() -> end(connection, true)));
        long noticeMillis = Math.min(atMost.toMillis(), NOTICE.toMillis());
        for (int i = 0; i < noticeMillis && !undecided.isEmpty(); i++) {
            LockSupport.parkNanos(1_000_000);
        }
        Set<Channel> all = new HashSet<>(open);
        all.removeAll(known);
        all.forEach(connection -> connection.eventLoop().execute(() -> end(connection, false)));
        all.addAll(known);
        for (Channel connection : all) {
            long leftMicros = Math.max(0, untilMicros - clock.micros());
            if (!connection.closeFuture().awaitUninterruptibly(leftMicros, TimeUnit.MICROSECONDS)) {
                ForcedClose.now(connection);
            }
        }
    }

    /** @param mayBeIdle false for a new connection, whose first request may not have arrived yet */
    private void end(Channel connection, boolean mayBeIdle) {
        Http2ConnectionHandler handler = connection.pipeline().get(Http2ConnectionHandler.class);
        boolean isIdle = handler == null || handler.connection().numActiveStreams() == 0; // null: closed
        if (isIdle && mayBeIdle) {
            close(connection);
        } else if (handler != null) {
            handler.connection().addListener(new CloseWhenIdle(connection, handler.connection()));
            var unused = connection
                    .eventLoop()
                    .schedule(() -> close(connection), PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    /** Closes a connection. Called on the connection's event loop. */
    private void close(Channel connection) {
        if (connection.pipeline().get(LingeringClose.class) == null) {
            connection.pipeline().addFirst(new LingeringClose(slowestMillis));
        }
        var unused = connection.close();
    }

    /** Closes a connection when its last stream ends. Called on the connection's event loop. */
    private final class CloseWhenIdle extends Http2ConnectionAdapter {
        private final Channel channel;
        private final Http2Connection connection;

        CloseWhenIdle(Channel channel, Http2Connection connection) {
            this.channel = channel;
            this.connection = connection;
        }

        @Override
        public void onStreamRemoved(Http2Stream stream) {
            if (connection.numActiveStreams() == 0) {
                close(channel);
            }
        }
    }
}
