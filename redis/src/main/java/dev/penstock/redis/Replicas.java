package dev.penstock.redis;

import dev.penstock.Ask;
import dev.penstock.Costs;
import dev.penstock.Grant;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Decides asks whose allowed answer counts only once replicas have what was charged. Where they do not in time, the answer
 * fails: the charge stands where it was made, what it holds is given back, or kept for who asks again under its id. Thread-safe.
 */
final class Replicas {
    /** How long replicas may take over an ask that has no time-out of its own. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    /** No ask holds up the others for longer, whatever its time-out. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final IntFunction<CompletionStage<StatefulRedisConnection<String, byte[]>>> connections;
    private final BiConsumer<String, Costs> settle;
    private final Map<StatefulRedisConnection<String, byte[]>, ReplicaLane> lanes = new ConcurrentHashMap<>();

    /**
     * @param connections to the server that has a slot, apart from all other traffic
     * @param settle ends a permit at a cost
     */
    Replicas(
            IntFunction<CompletionStage<StatefulRedisConnection<String, byte[]>>> connections,
            BiConsumer<String, Costs> settle) {
        this.connections = connections;
        this.settle = settle;
    }

    /** @param slot that of the charges, which are all in one */
    CompletionStage<Seen> decide(
            Ask ask, int slot, Function<RedisAsyncCommands<String, byte[]>, CompletionStage<Seen>> decision) {
        Duration own = ask.timeout();
        Duration patience = own == null ? PATIENCE : own.compareTo(LONGEST) > 0 ? LONGEST : own;
        return connections.apply(slot).thenCompose(connection -> {
            ReplicaLane lane = lane(connection);
            long course = lane.course();
            return decision.apply(connection.async())
                    .thenCompose(seen -> seen.allowed()
                            ? lane.await(new ReplicaLane.Wish(ask.replicas(), patience, course))
                                    .whenComplete((unused, failure) -> giveBack(ask, seen.grant(), failure))
                                    .thenApply(unused -> seen)
                            : CompletableFuture.completedStage(seen));
        });
    }

    private void giveBack(Ask ask, @Nullable Grant grant, @Nullable Throwable failure) {
        if (failure != null
                && grant != null
                && ask.id() == null) { // else it may be what was answered before, and is in use
            settle.accept(grant.id(), ask.nothing());
        }
    }

    private ReplicaLane lane(StatefulRedisConnection<String, byte[]> connection) {
        ReplicaLane known = lanes.get(connection);
        if (known != null) {
            return known;
        }
        lanes.keySet().removeIf(other -> !other.isOpen());
        return lanes.computeIfAbsent(connection, ReplicaLane::new);
    }
}
