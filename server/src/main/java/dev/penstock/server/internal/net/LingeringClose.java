package dev.penstock.server.internal.net;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.ReferenceCountUtil;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection such that the client can read the last answers. Closing a socket with unread bytes from the
 * client resets the connection, and a client that is still sending then loses the answers and the GOAWAY that it has
 * not read yet. So this handler sends everything, ends its own direction, and discards incoming bytes until the client
 * closes as well, or the timeout for slow clients has passed.
 *
 * <p>It must be the first handler of a pipeline, so that {@link ForcedClose} bypasses it. Called on the connection's
 * event loop only.
 */
final class LingeringClose extends ChannelDuplexHandler {
    private final long slowestMillis;
    private @Nullable Future<?> timer;

    LingeringClose(long slowestMillis) {
        this.slowestMillis = slowestMillis;
    }

    @Override
    public void close(ChannelHandlerContext context, ChannelPromise promise) {
        if (!(context.channel() instanceof DuplexChannel channel) || !channel.isActive()) {
            var unused = context.close(promise);
            return;
        }
        channel.closeFuture().addListener(closed -> promise.trySuccess());
        if (isLingering()) { // a second call: the first close continues
            return;
        }
        timer = context.executor().schedule(() -> ForcedClose.now(channel), slowestMillis, TimeUnit.MILLISECONDS);
        var unused = context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> endOutput(context, channel));
    }

    /** Ends the output after everything was sent. When the client closes as well, Netty closes the channel. */
    private static void endOutput(ChannelHandlerContext context, DuplexChannel channel) {
        var unused = channel.shutdownOutput();
        channel.config().setAutoRead(true);
        context.read();
    }

    private boolean isLingering() {
        return timer != null;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (isLingering()) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    /** Keeps reading, even if a handler behind this one has paused it. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (isLingering()) {
            context.read();
        } else {
            context.fireChannelReadComplete();
        }
    }

    /** Drops the event of the ended output, which the server would log as unknown. */
    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (!(event instanceof ChannelOutputShutdownEvent)) {
            context.fireUserEventTriggered(event);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        stop();
        context.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        stop();
    }

    private void stop() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
