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
 * The engine that a node decides with: memory alone, or the whole stack around Redis.
 *
 * @param stack the engines around Redis; null on a node without Redis
 * @param meters counts what happens to Redis; null on a node without Redis
 */
record NodeEngine(
        Engine engine,
        @Nullable EngineStack stack,
        @Nullable StoreMeters meters) {
    private static final System.Logger LOG = System.getLogger(NodeEngine.class.getName());

    static NodeEngine of(ServerSettings settings, @Nullable StoreMeters meters) {
        RedisUri redis = settings.redis();
        if (redis == null || meters == null) {
            return new NodeEngine(MemoryEngine.create(), null, null);
        }
        Penstock.Builder builder = Penstock.redis(redis.text())
                .deadline(settings.deadline())
                .maxWaiting(settings.clients().waiting())
                .newKeysPerSecond(settings.redisNewKeys())
                .observer(meters);
        Integer nodes = settings.nodes();
        EngineStack stack = (nodes == null ? builder : builder.nodes(nodes)).buildStack();
        return new NodeEngine(stack.engine(), stack, meters);
    }

    /** What all nodes that are on one store write for one another, of a kind; of a node that is alone its own. */
    SharedNotes notes(String kind) {
        Fleet fleet = engine.fleet();
        SharedNotes shared = fleet == null ? null : fleet.notes(kind);
        return shared == null ? new LocalNotes(Clock.system()) : shared;
    }

    /** Warns, as soon as Redis has told, of policies that wait for more replicas than there are. */
    void checkReplicas(Map<String, Integer> wanted) {
        if (stack != null && stack.store() instanceof RedisEngine redis && !wanted.isEmpty()) {
            CompletionStage<Void> unused = redis.replicas()
                    .thenAccept(present -> ReplicaWarnings.of(wanted, present)
                            .forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning)));
        }
    }

    /** The shards of the store that are away, by where they are; empty if it is in one place. */
    List<String> shardsAway() {
        if (stack == null) {
            return List.of();
        }
        String whole = engine.name();
        return stack.guard().shardsInFallback().stream()
                .filter(shard -> !shard.equals(whole))
                .toList();
    }

    /** The recent number of trips per second to each shard; empty on a node without Redis. */
    Map<String, Double> tripsPerSecond() {
        return meters == null ? Map.of() : meters.tripsPerSecond();
    }

    /** Whether all of the store is asked; else the failure modes of the policies decide. */
    boolean isStoreUp() {
        return stack == null || !stack.guard().isInFallback();
    }
}
