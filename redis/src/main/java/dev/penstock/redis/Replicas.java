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
 * Decides asks whose allowed answer counts only once replicas have what was charged. Where they do not in time, the answer
 * fails: the charge stands where it was made, what it holds is given back, or kept for who asks again under its id. Thread-safe.
 */
final class Replicas {
    /** How long replicas may take over an ask that has no time-out of its own. */
    private static final Duration PATIENCE = Duration.ofMillis(100);

    /** No ask holds up the others for longer, whatever its time-out. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    /** The servers that have the slots. */
    interface Servers {
        /** A connection to the server that has the slot, apart from all other traffic. */
        CompletionStage<StatefulRedisConnection<String, byte[]>> apart(int slot);

        /** Finds out anew who has which slot. */
        CompletionStage<Void> refresh();
    }

    private final Servers servers;
    private final BiConsumer<String, Costs> settle;
    private final Consumer<ReplicasMissing> failures;
    private final Map<StatefulRedisConnection<String, byte[]>, ReplicaLane> lanes = new ConcurrentHashMap<>();

    /**
     * @param settle ends a permit at a cost
     * @param failures is called for every charge that replicas did not confirm
     */
    Replicas(Servers servers, BiConsumer<String, Costs> settle, Consumer<ReplicasMissing> failures) {
        this.servers = servers;
        this.settle = settle;
        this.failures = failures;
    }

    /**
     * Decides, and once more if the slot turns out to have moved: then nothing was charged.
     *
     * @param slot that of the charges, which are all in one
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
        return servers.apart(slot).thenCompose(connection -> {
            ReplicaLane lane = lane(connection);
            ReplicaLane.Wish wish = new ReplicaLane.Wish(ask.replicas(), patience(ask), lane.course());
            return decision.apply(connection.async())
                    .thenCompose(seen -> seen.allowed()
                            ? lane.await(wish)
                                    .whenComplete((unused, failure) -> failed(ask, seen.permitHandle(), failure))
                                    .thenApply(unused -> seen)
                            : CompletableFuture.completedStage(seen));
        });
    }

    private static Duration patience(Ask ask) {
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
