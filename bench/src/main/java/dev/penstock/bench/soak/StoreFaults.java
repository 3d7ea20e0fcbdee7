package dev.penstock.bench.soak;

import dev.penstock.testkit.server.FaultProxy;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.Locale;

/** A Redis behind a proxy, which fails in different ways one after the other. Not thread-safe. */
final class StoreFaults implements AutoCloseable {
    private enum Fault {
        KILLED,
        PAUSED,
        CUT,
        SLOW,
        HALF_OPEN,
        REPLIES_LOST,
        SCRIPTS_FLUSHED
    }

    private static final Duration SLOW_BY = Duration.ofMillis(50);

    private final RedisServer redis = RedisServer.start("--maxmemory", "64mb");
    private final FaultProxy proxy = FaultProxy.to(redis.port());
    private int next;
    private boolean faulty;

    String uri() {
        return "redis://127.0.0.1:" + proxy.port();
    }

    /** Begins the next fault or ends the current one. Returns a description. */
    String turn() {
        Fault fault = Fault.values()[next % Fault.values().length];
        if (faulty) {
            heal(fault);
            next++;
        } else {
            begin(fault);
        }
        faulty = !faulty;
        return "redis: " + (faulty ? fault.name().toLowerCase(Locale.ROOT).replace('_', ' ') : "well again");
    }

    private void begin(Fault fault) {
        switch (fault) {
            case KILLED -> redis.kill();
            case PAUSED -> redis.pause();
            case CUT -> proxy.cut();
            case SLOW -> proxy.delay(SLOW_BY);
            case HALF_OPEN -> proxy.halfOpen();
            case REPLIES_LOST -> proxy.dropReplies();
            case SCRIPTS_FLUSHED -> redis.command("SCRIPT", "FLUSH");
        }
    }

    private void heal(Fault fault) {
        switch (fault) {
            case KILLED -> redis.restart();
            case PAUSED -> redis.resume();
            case CUT, SLOW, HALF_OPEN, REPLIES_LOST -> proxy.heal();
            case SCRIPTS_FLUSHED -> {}
        }
    }

    @Override
    public void close() {
        proxy.close();
        redis.close();
    }
}
