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
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The open connections of a port, of which those of HTTP/2 are ended before the server stops: a server that stops cuts what is
 * under way on them. Each client is first told to open no more streams; what it sent before it knew is still answered.
 *
 * <p>Thread-safe.
 */
final class Http2Connections {
    /** How long clients have to hear that they should open no more streams. What they open meanwhile is answered. */
    static final Duration NOTICE = Duration.ofMillis(500);

    /**
     * Some clients give up everything under way as soon as they are told that a connection ends (Java's own did, until version
     * 24). So they are told in a moment in which nothing is under way, if there is one within this time.
     */
    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final ChannelGroup all = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

    void add(Channel connection) {
        all.add(connection);
    }

    /** Ends them, and waits until they have ended, at most so long; those that have not by then are cut. */
    void end(Duration atMost) {
        List<Channel> open = all.stream().filter(Http2Connections::isHttp2).toList();
        open.forEach(connection -> connection.eventLoop().execute(() -> end(connection)));
        Clock clock = Clock.system();
        long untilMicros = clock.micros() + atMost.toNanos() / 1_000;
        for (Channel connection : open) {
            long left = Math.max(0, untilMicros - clock.micros());
            if (!connection.closeFuture().awaitUninterruptibly(left, TimeUnit.MICROSECONDS)) {
                ForcedClose.now(connection);
            }
        }
    }

    private static boolean isHttp2(Channel connection) {
        return connection.pipeline().get(Http2ConnectionHandler.class) != null;
    }

    private static void end(Channel connection) {
        Http2ConnectionHandler handler = connection.pipeline().get(Http2ConnectionHandler.class);
        if (handler == null || handler.connection().numActiveStreams() == 0) {
            close(connection);
        } else {
            handler.connection().addListener(new CloseWhenIdle(connection, handler.connection()));
            var unused = connection
                    .eventLoop()
                    .schedule(() -> close(connection), PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private static void close(Channel connection) {
        var unused = connection.close();
    }

    /** Called on the connection's event loop. */
    private static final class CloseWhenIdle extends Http2ConnectionAdapter {
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
