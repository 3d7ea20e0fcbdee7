package dev.penstock.bench.redis;

import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The servers of a run. Each is started when it is first needed. Not thread-safe. */
final class OwnServers implements AutoCloseable {
    private @Nullable RedisServer redis;
    private @Nullable RedisCluster cluster;

    RedisServer redis() {
        RedisServer started = redis;
        if (started == null) {
            started = RedisServer.start();
            redis = started;
        }
        return started;
    }

    /** Returns the servers for a scenario. */
    List<RedisServer> of(Scenario scenario) {
        return switch (scenario.store()) {
            case ONE_SERVER -> List.of(redis());
            case CLUSTER -> cluster().nodes();
        };
    }

    private RedisCluster cluster() {
        RedisCluster started = cluster;
        if (started == null) {
            started = RedisCluster.start();
            cluster = started;
        }
        return started;
    }

    @Override
    public void close() {
        if (redis != null) {
            redis.close();
        }
        if (cluster != null) {
            cluster.close();
        }
    }
}
