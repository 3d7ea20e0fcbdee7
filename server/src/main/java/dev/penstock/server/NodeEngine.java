package dev.penstock.server;

import dev.penstock.Clock;
import dev.penstock.Penstock;
import dev.penstock.engine.EngineStack;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.observe.StoreMeters;
import dev.penstock.redis.RedisEngine;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.SharedNotes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The engine that a node decides with: a memory engine, or the full stack around Redis.
 *
 * @param stack the engines around Redis; null on a node without Redis
 * @param meters counts Redis events; null on a node without Redis
 */
record NodeEngine(
        Engine engine,
        @Nullable EngineStack stack,
        @Nullable StoreMeters meters) {
    private static final System.Logger LOG = System.getLogger(NodeEngine.class.getName());

    static NodeEngine of(ServerSettings settings, @Nullable StoreMeters meters) {
        RedisUri redis = settings.redis();
        EngineSettings use = settings.engine();
        if (redis == null || meters == null) {
            MemoryEngine.Builder alone =
                    MemoryEngine.builder().whenFull(use.memory().whenFull()).rememberFor(use.rememberFor());
            Integer maxKeys = use.memory().maxKeys();
            if (maxKeys != null) {
                alone.maxKeys(maxKeys);
            }
            return new NodeEngine(alone.build(), null, null);
        }
        Penstock.Builder builder = Penstock.redis(redis.text())
                .deadline(settings.deadline())
                .maxWaiting(settings.clients().waiting())
                .newKeysPerSecond(settings.redisNewKeys())
                .observer(meters);
        builder.rememberFor(use.rememberFor())
                .maxWait(use.maxWait())
                .whenFull(use.memory().whenFull())
                .localFor(use.outage().localFor())
                .then(use.outage().then())
                .denyCacheKeys(use.denyCacheKeys())
                .leaseKeys(use.leaseKeys());
        Integer localKeys = use.memory().maxKeys();
        if (localKeys != null) {
            builder.maxKeys(localKeys);
        }
        Integer outageKeys = use.outage().maxKeys();
        if (outageKeys != null) {
            builder.outageKeys(outageKeys);
        }
        RedisSettings store = settings.redisUse();
        builder.keyPrefix(store.prefix());
        if (store.hasTlsFiles()) {
            builder.tls(store.ca(), store.certificate(), store.key());
        }
        Integer nodes = settings.nodes();
        EngineStack stack = built(nodes == null ? builder : builder.nodes(nodes));
        return new NodeEngine(stack.engine(), stack, meters);
    }

    /** Builds the stack. Names the settings in errors about the files for TLS. */
    private static EngineStack built(Penstock.Builder builder) {
        try {
            return builder.buildStack();
        } catch (IllegalArgumentException e) {
            String problem = String.valueOf(e.getMessage());
            throw new IllegalArgumentException(
                    problem.replaceFirst("^trust:", "redis_tls.ca:")
                            .replaceFirst("^(certificate|key):", "redis_tls.$1:"),
                    e);
        }
    }

    /**
     * Returns the notes of this kind that all nodes on one store share, or local notes if the node has no shared store.
     */
    SharedNotes notes(String kind) {
        Fleet fleet = engine.fleet();
        SharedNotes shared = fleet == null ? null : fleet.notes(kind);
        return shared == null ? new LocalNotes(Clock.system()) : shared;
    }

    /** Logs a warning, once Redis has answered, for each policy that waits for more replicas than there are. */
    void checkReplicas(Map<String, Integer> wanted) {
        if (stack != null && stack.store() instanceof RedisEngine redis && !wanted.isEmpty()) {
            CompletionStage<Void> unused = redis.replicas()
                    .thenAccept(present -> ReplicaWarnings.of(wanted, present)
                            .forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning)));
        }
    }

    /** Returns the addresses of the shards that are unavailable. Always empty if the store is not sharded. */
    List<String> shardsAway() {
        if (stack == null) {
            return List.of();
        }
        String whole = engine.name();
        return stack.guard().shardsInFallback().stream()
                .filter(shard -> !shard.equals(whole))
                .toList();
    }

    /** Returns the recent number of round trips per second to each shard; empty on a node without Redis. */
    Map<String, Double> tripsPerSecond() {
        return meters == null ? Map.of() : meters.tripsPerSecond();
    }

    /** Returns true if every shard of the store is in use; otherwise failure modes decide for at least some keys. */
    boolean isStoreUp() {
        return stack == null || !stack.guard().isInFallback();
    }
}
