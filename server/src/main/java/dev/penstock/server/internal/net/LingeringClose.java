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
 * Closes a connection in a way that lets the client read the last answers. A socket that is closed while bytes from the client are
 * unread resets the connection, and a client that is still sending then loses the answers and the goodbye it has not read yet. So
 * this handler sends everything, ends its own direction, and discards what the client sends until the client closes, too, or
 * the time for slow clients has passed.
 *
 * <p>The first handler of a pipeline, so that {@link ForcedClose} passes it by. Called on the connection's event loop only.
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
        if (isLingering()) { // asked again: the first close goes on
            return;
        }
        timer = context.executor().schedule(() -> ForcedClose.now(channel), slowestMillis, TimeUnit.MILLISECONDS);
        var unused = context.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> endOutput(context, channel));
    }

    /** Everything up to the goodbye has left for the client. When the client closes as well, Netty closes the channel. */
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

    /** Reading goes on even if a handler behind this one has paused it. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (isLingering()) {
            context.read();
        } else {
            context.fireChannelReadComplete();
        }
    }

    /** Not passed on: the server would log it as an event that it does not know. */
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
