package dev.penstock.redis;

import dev.penstock.Clock;
import io.lettuce.core.RedisReadOnlyException;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Handles READONLY errors: closes the connections to a server that reports that it is read-only, so that the client
 * connects to the new primary. A demoted primary may keep them open forever. Does so at most once per {@link
 * #AT_MOST_EVERY}, because the name may still lead to the old server for a while. Thread-safe.
 */
final class ReadOnlyWatch {
    static final Duration AT_MOST_EVERY = Duration.ofSeconds(2);

    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());
    private static final long NEVER = Long.MIN_VALUE;

    private final String name;
    private final Clock clock;
    private final Set<Channel> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong lastMicros = new AtomicLong(NEVER);

    /** @param name the name of the server in the log */
    ReadOnlyWatch(String name, Clock clock) {
        this.name = name;
        this.clock = clock;
    }

    /** Adds the channel to the connections until it is closed. */
    void add(Channel channel) {
        open.add(channel);
        channel.closeFuture().addListener(unused -> open.remove(channel));
    }

    /** Checks the failure of a command. */
    void note(Throwable failure) {
        if (!(ScriptRunner.cause(failure) instanceof RedisReadOnlyException)) {
            return;
        }
        long last = lastMicros.get();
        long now = clock.micros();
        boolean isTooSoon = last != NEVER
                && now >= last // otherwise the clock was set back
                && now - last < TimeUnit.NANOSECONDS.toMicros(AT_MOST_EVERY.toNanos());
        if (isTooSoon || !lastMicros.compareAndSet(last, now)) {
            return;
        }
        LOG.log(Level.WARNING, "redis at " + name + ": read-only (expected: a primary); reconnecting");
        for (Channel channel : open) {
            ChannelFuture unused = channel.close();
        }
    }
}
