package dev.penstock.redis;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Closes a connection on which something was sent and nothing at all came back for a while, so that another is made: the
 * other side may be gone without a word. One on which nothing is asked may be silent for ever. Not thread-safe: of one
 * channel, on its event loop.
 */
final class SilenceWatch extends ChannelDuplexHandler {
    /** Longer than anything that Redis is asked may take. */
    static final Duration LONGEST = Duration.ofSeconds(3);

    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());

    private long heard;
    private boolean unanswered;
    private boolean watching;

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        unanswered = true;
        if (!watching) {
            watch(context);
        }
        ChannelFuture unused = context.write(message, promise);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        heard++;
        unanswered = false;
        context.fireChannelRead(message);
    }

    private void watch(ChannelHandlerContext context) {
        watching = true;
        long before = heard;
        Future<?> unused =
                context.executor().schedule(() -> look(context, before), LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look(ChannelHandlerContext context, long before) {
        watching = false;
        if (!unanswered || !context.channel().isActive()) {
            return;
        }
        if (heard != before) {
            watch(context);
            return;
        }
        LOG.log(
                Level.WARNING,
                "redis at " + context.channel().remoteAddress() + ": silent for " + LONGEST.toSeconds()
                        + " s; connecting anew");
        ChannelFuture unused = context.close();
    }
}
