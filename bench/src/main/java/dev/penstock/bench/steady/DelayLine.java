package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A proxy that delays every reply of a server by the same time, even on a busy connection. The testkit's proxy instead
 * delays one chunk after the other, which adds up on a busy connection.
 */
final class DelayLine implements AutoCloseable {
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(
            1, Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
    private final int target;
    private final Channel listener;
    private volatile long delayNanos;

    /** Opens a proxy, at first without delay. */
    DelayLine(int target) throws BenchFailure {
        this.target = target;
        ChannelFuture bound = new ServerBootstrap()
                .group(group)
                .channel(Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel client) {
                        connect(client);
                    }
                })
                .bind(InetAddress.getLoopbackAddress(), 0)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new BenchFailure("the proxy for Redis could not be opened", bound.cause());
        }
        this.listener = bound.channel();
    }

    private void connect(Channel client) {
        var unused = new Bootstrap()
                .group(client.eventLoop())
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel server) {
                        server.pipeline().addLast(new Forward(client, true));
                    }
                })
                .connect(InetAddress.getLoopbackAddress(), target)
                .addListener((ChannelFuture done) -> {
                    if (done.isSuccess()) {
                        client.pipeline().addLast(new Forward(done.channel(), false));
                        client.config().setAutoRead(true);
                    } else {
                        var unusedClose = client.close();
                    }
                });
    }

    String uri() {
        return "redis://127.0.0.1:" + ((InetSocketAddress) listener.localAddress()).getPort();
    }

    void delay(long millis) {
        delayNanos = TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Forwards everything that one side sends. */
    private final class Forward extends ChannelInboundHandlerAdapter {
        private final Channel to;
        private final boolean isDelayed;

        Forward(Channel to, boolean isDelayed) {
            this.to = to;
            this.isDelayed = isDelayed;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object bytes) {
            if (isDelayed && delayNanos > 0) {
                Runnable write = () -> {
                    var unused = to.writeAndFlush(bytes);
                };
                var unused = ctx.executor().schedule(write, delayNanos, TimeUnit.NANOSECONDS);
            } else {
                var unused = to.writeAndFlush(bytes);
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            var unused = to.close();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            var unused = ctx.close();
        }
    }

    @Override
    public void close() {
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
