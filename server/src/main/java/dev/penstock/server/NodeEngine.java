package dev.penstock.server;

import dev.penstock.DenyCache;
import dev.penstock.Guard;
import dev.penstock.Leasing;
import dev.penstock.LocalFirst;
import dev.penstock.MemoryEngine;
import dev.penstock.redis.RedisEngine;
import dev.penstock.spi.Engine;

/** Builds what a node decides with: memory alone, or Redis with all that makes it survive. */
final class NodeEngine {
    private NodeEngine() {}

    static Engine of(ServerSettings settings) {
        RedisUri redis = settings.redis();
        if (redis == null) {
            return MemoryEngine.create();
        }
        RedisEngine store = RedisEngine.at(redis.text()).startWithoutRedis().build();
        Guard.Builder guard =
                Guard.around(DenyCache.around(Leasing.from(store).build())).deadline(settings.deadline());
        Integer nodes = settings.nodes();
        if (nodes != null) {
            guard.nodes(nodes);
        }
        return LocalFirst.around(guard.build());
    }
}
