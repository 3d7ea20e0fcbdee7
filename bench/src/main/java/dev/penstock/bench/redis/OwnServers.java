package dev.penstock.bench.redis;

import dev.penstock.testkit.server.RedisServer;
import org.jspecify.annotations.Nullable;

/** The servers of a run, each started when it is first needed. Not thread-safe. */
final class OwnServers implements AutoCloseable {
    private @Nullable RedisServer redis;

    RedisServer redis() {
        RedisServer started = redis;
        if (started == null) {
            started = RedisServer.start();
            redis = started;
        }
        return started;
    }

    @Override
    public void close() {
        if (redis != null) {
            redis.close();
        }
    }
}
