package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntSupplier;

/** Starts loads on its own event loop, so that the generator uses at most one processor. */
final class LoadGenerator implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;
    private static final long LONGEST_MINUTES = 5;

    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());

    /** Starts a load of random users and waits until the first request is due. */
    LoadSession start(RequestTemplate template, LoadPlan plan, List<LoadNode> nodes) throws BenchFailure {
        var loop = group.next();
        return started(new LoadSession(loop, bootstrap(), template, plan, nodes));
    }

    /** Starts a load with users from the given source. */
    LoadSession start(RequestTemplate template, LoadPlan plan, List<LoadNode> nodes, IntSupplier users)
            throws BenchFailure {
        var loop = group.next();
        return started(new LoadSession(loop, bootstrap(), template, plan, nodes, users));
    }

    private Bootstrap bootstrap() {
        return new Bootstrap()
                .group(group)
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MILLIS);
    }

    private static LoadSession started(LoadSession session) throws BenchFailure {
        session.start();
        await(session.begun());
        return session;
    }

    /** Runs a load of random users to its end. */
    LoadSamples run(RequestTemplate template, LoadPlan plan, List<LoadNode> nodes) throws BenchFailure {
        return await(start(template, plan, nodes).ended());
    }

    static <T> T await(CompletableFuture<T> future) throws BenchFailure {
        try {
            return future.get(LONGEST_MINUTES, TimeUnit.MINUTES);
        } catch (ExecutionException | TimeoutException e) {
            throw new BenchFailure("the load did not run", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchFailure("the load was interrupted", e);
        }
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
