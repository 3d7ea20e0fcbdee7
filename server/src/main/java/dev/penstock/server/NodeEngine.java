package dev.penstock.server;

import dev.penstock.Clock;
import dev.penstock.DenyCache;
import dev.penstock.Guard;
import dev.penstock.Leasing;
import dev.penstock.LocalFirst;
import dev.penstock.MemoryEngine;
import dev.penstock.NewKeyBudget;
import dev.penstock.observe.StoreMeters;
import dev.penstock.redis.RedisEngine;
import dev.penstock.spi.Board;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * What a node decides with: memory alone, or Redis with all that makes it survive.
 *
 * @param store null where there is none that can fail
 */
record NodeEngine(Engine engine, @Nullable Store store) {
    private static final System.Logger LOG = System.getLogger(NodeEngine.class.getName());

    /**
     * The engines around a store.
     *
     * @param meters are told how it stands with it
     */
    record Store(RedisEngine redis, Guard guard, Leasing leasing, StoreMeters meters) {}

    /** @param meters are told how it stands with the store; null where there is none */
    static NodeEngine of(ServerSettings settings, @Nullable StoreMeters meters) {
        RedisUri redis = settings.redis();
        if (redis == null || meters == null) {
            return new NodeEngine(MemoryEngine.create(), null);
        }
        RedisEngine store = RedisEngine.at(redis.text())
                .startWithoutRedis()
                .listener(meters)
                .build();
        Integer newKeys = settings.redisNewKeys();
        Engine bounded = newKeys == null
                ? store
                : NewKeyBudget.builder(store)
                        .perSecond(newKeys)
                        .listener(meters.newKeys())
                        .build();
        Leasing leasing = Leasing.from(bounded).build();
        DenyCache cache = DenyCache.around(leasing);
        Guard.Builder builder = Guard.around(cache)
                .deadline(settings.deadline())
                .listener(meters)
                .maxWaiting(settings.clients().waiting());
        Integer nodes = settings.nodes();
        if (nodes != null) {
            builder.nodes(nodes);
        }
        Guard guard = builder.build();
        meters.of(leasing).of(cache).of(guard);
        return new NodeEngine(LocalFirst.around(guard), new Store(store, guard, leasing, meters));
    }

    /** What all nodes that are on one store write for one another, of a kind; of a node that is alone its own. */
    Board board(String kind) {
        Fleet fleet = engine.fleet();
        Board shared = fleet == null ? null : fleet.board(kind);
        return shared == null ? new LocalBoard(Clock.system()) : shared;
    }

    /** Warns, as soon as Redis has told, of policies that wait for more replicas than there are. */
    void checkReplicas(Map<String, Integer> wanted) {
        if (store != null && !wanted.isEmpty()) {
            CompletionStage<Void> unused = store.redis
                    .replicas()
                    .thenAccept(present -> ReplicaWarnings.of(wanted, present)
                            .forEach(warning -> LOG.log(System.Logger.Level.WARNING, warning)));
        }
    }

    /** The shards of the store that are away, by where they are; empty if it is in one place. */
    List<String> shardsAway() {
        if (store == null) {
            return List.of();
        }
        String whole = engine.name();
        return store.guard.shardsInFallback().stream()
                .filter(shard -> !shard.equals(whole))
                .toList();
    }

    /** Whether all of the store is asked; else the failure modes of the policies decide. */
    boolean isStoreUp() {
        return store == null || !store.guard.isInFallback();
    }
}
