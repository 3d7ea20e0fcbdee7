package dev.penstock.redis;

import io.lettuce.core.protocol.CommandHandler;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.util.concurrent.EventExecutor;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long Redis takes to answer commands on one connection, from the write until the reply arrives. It uses a
 * {@link LoopClock}, so that time spent in this process before or after that does not count. Scripts and {@code EXISTS}
 * are reported as {@linkplain TripEvidence round trips}, answered or late. On a connection that waits for replicas they
 * are not reported, because they queue behind the wait.
 *
 * <p>It also closes a connection on which no reply arrives for a while although commands are outstanding, so that the
 * client reconnects. The other side may have disappeared without closing the connection. A connection without
 * outstanding commands may be silent forever.
 *
 * <p>Not thread-safe: it belongs to one channel, and runs on its event loop. It ticks only while replies are
 * outstanding.
 */
final class TripWatch extends ChannelDuplexHandler {
    /** Longer than any command to Redis may take. */
    static final Duration MAX_SILENCE = Duration.ofSeconds(3);

    static final Duration TICK = Duration.ofMillis(5);

    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());

    /** Scripts, and the short question that the deny cache asks instead of a decision. */
    private static final Set<ProtocolKeyword> EVIDENCE =
            Set.of(CommandType.EVAL, CommandType.EVALSHA, CommandType.EXISTS);

    /** A command that was written and is not answered yet. */
    private static final class Trip {
        private final RedisCommand<?, ?, ?> command;
        private final long writtenNanos;
        private final String shard;
        private boolean isReported;

        /** @param shard the shard that the trip is evidence for or against; null if it is no evidence */
        Trip(RedisCommand<?, ?, ?> command, long writtenNanos, @Nullable String shard) {
            this.command = command;
            this.writtenNanos = writtenNanos;
            this.shard = shard == null ? "" : shard;
            this.isReported = shard == null;
        }
    }

    private final TripEvidence evidence;
    private final Function<RedisCommand<?, ?, ?>, @Nullable String> shards;
    private final LoopClock clock = new LoopClock(this::maxStepNanos);
    private final Deque<Trip> outstanding = new ArrayDeque<>();
    private long heardNanos;
    private boolean isTicking;
    private boolean waitsForReplicas;

    /** @param shards returns the shard that a command goes to, as named in reports; null if there is none */
    TripWatch(TripEvidence evidence, Function<RedisCommand<?, ?, ?>, @Nullable String> shards) {
        this.evidence = evidence;
        this.shards = shards;
    }

    /** Watches a channel that Lettuce has set up, at the position where commands are not yet encoded. */
    static void addTo(
            Channel channel, TripEvidence evidence, Function<RedisCommand<?, ?, ?>, @Nullable String> shards) {
        ChannelPipeline pipeline = channel.pipeline();
        ChannelHandlerContext commands = pipeline.context(CommandHandler.class);
        if (commands != null) {
            pipeline.addBefore(commands.name(), TripWatch.class.getSimpleName(), new TripWatch(evidence, shards));
        }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
        long now = ticking(context);
        if (outstanding.isEmpty()) {
            heardNanos = now;
        }
        if (message instanceof RedisCommand<?, ?, ?> command) {
            add(command, now);
        } else if (message instanceof Collection<?> commands) {
            for (Object each : commands) {
                if (each instanceof RedisCommand<?, ?, ?> command) {
                    add(command, now);
                }
            }
        }
        ChannelFuture unused = context.write(message, promise);
    }

    private void add(RedisCommand<?, ?, ?> command, long now) {
        waitsForReplicas |= command.getType() == CommandType.WAIT;
        boolean isEvidence = !waitsForReplicas && EVIDENCE.contains(command.getType());
        outstanding.add(new Trip(command, now, isEvidence ? shards.apply(command) : null));
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        long now = clock.nanos(nowNanos(context)); // before the callbacks run, whose time is this process's own
        heardNanos = now;
        context.fireChannelRead(message);
        for (Trip first = outstanding.peek(); first != null && first.command.isDone(); first = outstanding.peek()) {
            outstanding.remove();
            report(first, now);
        }
    }

    /** Reports a reply. Errors are left out, because the code that sent the command classifies and reports them. */
    private void report(Trip answered, long now) {
        if (answered.isReported
                || answered.command.isCancelled()
                || answered.command.getOutput() == null
                || answered.command.getOutput().hasError()) {
            return;
        }
        if (isLate(answered, now)) {
            evidence.late(answered.shard);
        } else {
            evidence.answered(answered.shard);
        }
    }

    private boolean isLate(Trip trip, long now) {
        return now - trip.writtenNanos > evidence.lateAfter().toNanos();
    }

    /**
     * On a busy machine, ticks are often late by some milliseconds. That is negligible compared with a deadline of 100
     * ms.
     */
    private long maxStepNanos() {
        return Math.max(2 * TICK.toNanos(), evidence.lateAfter().toNanos() / 4);
    }

    /** Makes sure that the clock ticks, and returns its time. */
    private long ticking(ChannelHandlerContext context) {
        long real = nowNanos(context);
        if (!isTicking) {
            isTicking = true;
            clock.resume(real);
            scheduleTick(context);
        }
        return clock.nanos(real);
    }

    private void scheduleTick(ChannelHandlerContext context) {
        Future<?> unused = context.executor().schedule(() -> tick(context), TICK.toNanos(), TimeUnit.NANOSECONDS);
    }

    private void tick(ChannelHandlerContext context) {
        if (outstanding.isEmpty() || !context.channel().isActive()) {
            isTicking = false;
            return;
        }
        long real = nowNanos(context);
        boolean isOnTime = clock.tick(real);
        if (isOnTime) { // otherwise replies may have arrived that have not been read yet
            reportLate(clock.nanos(real));
            closeIfSilent(context, clock.nanos(real));
        }
        scheduleTick(context);
    }

    private void reportLate(long now) {
        for (Trip trip : outstanding) {
            if (!isLate(trip, now)) {
                return;
            }
            if (!trip.isReported && !trip.command.isDone()) {
                trip.isReported = true;
                evidence.late(trip.shard);
            }
        }
    }

    private void closeIfSilent(ChannelHandlerContext context, long now) {
        if (now - heardNanos < MAX_SILENCE.toNanos()) {
            return;
        }
        LOG.log(
                Level.WARNING,
                "redis at " + context.channel().remoteAddress() + ": no answer for " + MAX_SILENCE.toSeconds()
                        + " s; reconnecting");
        outstanding.clear();
        ChannelFuture unused = context.close();
    }

    private static long nowNanos(ChannelHandlerContext context) {
        EventExecutor loop = context.executor();
        return loop.ticker().nanoTime();
    }
}
