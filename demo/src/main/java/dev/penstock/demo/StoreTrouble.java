package dev.penstock.demo;

import dev.penstock.testkit.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A Redis that goes away and returns: in turns it hangs, and dies with all that it knew. */
final class StoreTrouble implements AutoCloseable {
    private final RedisServer redis = RedisServer.start("--maxmemory", "64mb");

    /** Of its own, since a Redis takes a moment to start. */
    private final ExecutorService hands = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "demo-store");
        thread.setDaemon(true);
        return thread;
    });

    String uri() {
        return redis.uri();
    }

    /** Does what a turn of {@link Incident#STORE_AWAY} says; what it is, once it is done. */
    CompletableFuture<String> turn(IncidentChange turn) {
        boolean hangs = turn.round() % 2 == 0;
        return CompletableFuture.supplyAsync(() -> turn.begins() ? away(hangs) : back(hangs), hands);
    }

    private String away(boolean hangs) {
        if (hangs) {
            redis.pause();
            return Incident.STORE_AWAY.telling() + ": it hangs";
        }
        redis.kill();
        return Incident.STORE_AWAY.telling() + ": it was killed";
    }

    private String back(boolean hung) {
        if (hung) {
            redis.resume();
            return "store: Redis goes on where it was";
        }
        redis.restart();
        return "store: Redis is back, and knows nothing";
    }

    @Override
    public void close() {
        hands.shutdown();
        redis.close();
    }
}
