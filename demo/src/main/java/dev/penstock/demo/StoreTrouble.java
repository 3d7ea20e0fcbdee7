package dev.penstock.demo;

import dev.penstock.testkit.server.RedisServer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A Redis that fails and returns. Outages alternate between hanging and being killed with all data. */
final class StoreTrouble implements AutoCloseable {
    private final RedisServer redis = RedisServer.start("--maxmemory", "64mb");

    /** A separate thread, because starting a Redis takes a moment. */
    private final ExecutorService hands = Executors.newSingleThreadExecutor(task -> {
        Thread thread = new Thread(task, "demo-store");
        thread.setDaemon(true);
        return thread;
    });

    String uri() {
        return redis.uri();
    }

    /** Applies the start or end of {@link Incident#STORE_AWAY}. Completes with a message once it is done. */
    CompletableFuture<String> turn(IncidentChange turn) {
        boolean hangs = turn.round() % 2 == 0;
        return CompletableFuture.supplyAsync(() -> turn.begins() ? away(hangs) : back(hangs), hands);
    }

    private String away(boolean hangs) {
        if (hangs) {
            redis.pause();
            return Incident.STORE_AWAY.text() + ": it hangs";
        }
        redis.kill();
        return Incident.STORE_AWAY.text() + ": it was killed";
    }

    private String back(boolean hung) {
        if (hung) {
            redis.resume();
            return "store: Redis continues with its data";
        }
        redis.restart();
        return "store: Redis is back, without its data";
    }

    @Override
    public void close() {
        hands.shutdown();
        redis.close();
    }
}
