package dev.penstock.redis;

import dev.penstock.Costs;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.ReplicasMissing;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decides asks that are allowed only after replicas acknowledge the charge. If they do not do so in time, the answer
 * fails. The charge is not undone. A permit is given back, or kept for retries if the ask has an id. Thread-safe.
 */
final class Replicas {
    /** How long an ask without a timeout waits for replicas. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    /** Maximum wait of an ask, whatever its timeout, because it delays other asks. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** The servers that have the slots. */
    interface Servers {
        /** Returns a separate connection to the server that has the slot. */
        CompletionStage<StatefulRedisConnection<String, byte[]>> separateConnection(int slot);

        /** Refreshes the mapping of slots to servers. */
        CompletionStage<Void> refresh();
    }

    private final Servers servers;
    private final BiConsumer<String, Costs> settle;
    private final Consumer<ReplicasMissing> failures;
    private final Map<StatefulRedisConnection<String, byte[]>, ReplicaLane> lanes = new ConcurrentHashMap<>();

    /**
     * Creates the decisions of one engine.
     *
     * @param settle ends a permit at a cost
     * @param failures receives every charge that replicas did not acknowledge
     */
    Replicas(Servers servers, BiConsumer<String, Costs> settle, Consumer<ReplicasMissing> failures) {
        this.servers = servers;
        this.settle = settle;
        this.failures = failures;
    }

    /**
     * Decides the ask. If its slot turns out to have moved, nothing was charged, and the ask is decided once more.
     *
     * @param slot the slot of all charges
     */
    CompletionStage<StoreAnswer> decide(
            Ask ask, int slot, Function<RedisAsyncCommands<String, byte[]>, CompletionStage<StoreAnswer>> decision) {
        return decideThere(ask, slot, decision)
                .exceptionallyCompose(failure -> KeyErrors.isMoved(failure)
                        ? servers.refresh().thenCompose(unused -> decideThere(ask, slot, decision))
                        : CompletableFuture.failedStage(failure));
    }

    private CompletionStage<StoreAnswer> decideThere(
            Ask ask, int slot, Function<RedisAsyncCommands<String, byte[]>, CompletionStage<StoreAnswer>> decision) {
        return servers.separateConnection(slot).thenCompose(connection -> {
            ReplicaLane lane = lane(connection);
            ReplicaLane.AckRequest request =
                    new ReplicaLane.AckRequest(ask.replicas(), timeout(ask), lane.connectionNumber());
            return decision.apply(connection.async())
                    .thenCompose(seen -> seen.allowed()
                            ? lane.await(request)
                                    .whenComplete((unused, failure) -> failed(ask, seen.permitHandle(), failure))
                                    .thenApply(unused -> seen)
                            : CompletableFuture.completedStage(seen));
        });
    }

    private static Duration timeout(Ask ask) {
        Duration own = ask.timeout();
        return own == null ? PATIENCE : own.compareTo(LONGEST) > 0 ? LONGEST : own;
    }

    private void failed(Ask ask, @Nullable PermitHandle grant, @Nullable Throwable failure) {
        ReplicasMissing missing = ReplicasMissing.in(failure);
        if (missing != null) {
            failures.accept(missing);
        }
        giveBack(ask, grant, failure);
    }

    private void giveBack(Ask ask, @Nullable PermitHandle grant, @Nullable Throwable failure) {
        if (failure != null
                && grant != null
                && ask.id() == null) { // otherwise the permit may belong to an earlier answer and be in use
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
