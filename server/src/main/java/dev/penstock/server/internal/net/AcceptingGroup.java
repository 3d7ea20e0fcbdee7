package dev.penstock.server.internal.net;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.ThreadFactories;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.kqueue.KQueueIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * The thread that accepts a port's connections. It ends at once when it is told to: nothing is left to do for it then, and
 * Netty would wait two seconds for that to change.
 */
final class AcceptingGroup extends MultiThreadIoEventLoopGroup {
    private AcceptingGroup(ThreadFactory threads, IoHandlerFactory transport) {
        super(1, threads, transport);
    }

    /** A group with the transport that the server uses for its connections, which has to be the same. */
    static EventLoopGroup named(String name) {
        ThreadFactory threads = ThreadFactories.newEventLoopThreadFactory(name, false);
        return switch (Flags.transportType()) {
            case NIO -> new AcceptingGroup(threads, NioIoHandler.newFactory());
            case EPOLL -> new AcceptingGroup(threads, EpollIoHandler.newFactory());
            case KQUEUE -> new AcceptingGroup(threads, KQueueIoHandler.newFactory());
            default -> EventLoopGroups.newEventLoopGroup(1, name); // chosen by hand: it works, and ends slowly
        };
    }

    @Override
    public Future<?> shutdownGracefully() {
        return shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}
