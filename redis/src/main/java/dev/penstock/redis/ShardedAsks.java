package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.spi.Ask;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Sends asks outside of batches, with a separate limit for each shard, so that a shard that does not answer cannot keep
 * asks to other shards from being sent. Thread-safe.
 */
final class ShardedAsks {
    private final Clock clock;

    /** By shard name. There are never more shards than slots. */
    private final Map<String, UnbatchedAsks> shards = new ConcurrentHashMap<>();

    ShardedAsks(Clock clock) {
        this.clock = clock;
    }

    /** Sends the ask now, or later if too many are in flight. */
    <T> CompletionStage<T> send(Ask ask, String shard, Supplier<CompletionStage<T>> sending) {
        return shards.computeIfAbsent(shard, unused -> new UnbatchedAsks(clock)).send(ask, sending);
    }
}
