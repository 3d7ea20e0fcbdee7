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
 * What accepts a port's connections: it can stop before the rest of the server does, which goes on listening until nothing is
 * under way. Thread-safe.
 */
final class ConnectionAcceptor {
    private final List<Channel> listening = new CopyOnWriteArrayList<>();

    /** A thread with the transport that the server uses for its connections, which has to be the same. */
    EventLoopGroup named(String name) {
        ThreadFactory threads = ThreadFactories.newEventLoopThreadFactory(name, false);
        return switch (Flags.transportType()) {
            case NIO -> new Group(threads, NioIoHandler.newFactory());
            case EPOLL -> new Group(threads, EpollIoHandler.newFactory());
            case KQUEUE -> new Group(threads, KQueueIoHandler.newFactory());
            default -> EventLoopGroups.newEventLoopGroup(1, name); // chosen by hand: it works, and ends slowly
        };
    }

    /** Closes what listens; connections that were accepted live on. */
    void stop() {
        for (Channel each : listening) {
            each.close().awaitUninterruptibly();
        }
    }

    /** It ends at once when it is told to: nothing is left to do for it then, and Netty would wait two seconds for it. */
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
