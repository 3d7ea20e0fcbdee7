package dev.penstock.server.internal.net;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.ThreadFactories;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Accepts a port's connections. It can stop before the rest of the server, which keeps running until no request is in
 * progress. Thread-safe.
 */
final class ConnectionAcceptor {
    private final List<Channel> listening = new CopyOnWriteArrayList<>();

    /**
     * Creates the accepting thread, with the transport that the server uses for its connections. Both must be the same.
     */
    EventLoopGroup named(String name) {
        ThreadFactory threads = ThreadFactories.newEventLoopThreadFactory(name, false);
        return switch (Flags.transportType()) {
            case NIO -> new Group(threads, NioIoHandler.newFactory());
            case EPOLL -> new Group(threads, EpollIoHandler.newFactory());
            case KQUEUE -> new Group(threads, KQueueIoHandler.newFactory());
            default -> EventLoopGroups.newEventLoopGroup(1, name); // by system property: stops slowly
        };
    }

    /** Stops listening. Accepted connections stay open. */
    void stop() {
        for (Channel each : listening) {
            each.close().awaitUninterruptibly();
        }
    }

    /**
     * Stops without a delay, because nothing is left to do when it is stopped. By default Netty would wait two seconds.
     */
    private final class Group extends MultiThreadIoEventLoopGroup {
        private Group(ThreadFactory threads, IoHandlerFactory transport) {
            super(1, threads, transport);
        }

        @Override
        public ChannelFuture register(Channel channel) {
            listening.add(channel);
            return super.register(channel);
        }

        @Override
        public Future<?> shutdownGracefully() {
            return shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
