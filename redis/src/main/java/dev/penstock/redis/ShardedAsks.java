package dev.penstock.redis;

import dev.penstock.Clock;
import dev.penstock.spi.Ask;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Sends asks that travel in no batch, bounded for each shard by itself: one that does not answer must not keep the asks to
 * others from being sent. Thread-safe.
 */
final class ShardedAsks {
    private final Clock clock;

    /** By the name of the shard, of which there are no more than slots. */
    private final Map<String, UnbatchedAsks> shards = new ConcurrentHashMap<>();

    ShardedAsks(Clock clock) {
        this.clock = clock;
    }

    /** Sends now or later. */
    <T> CompletionStage<T> send(Ask ask, String shard, Supplier<CompletionStage<T>> sending) {
        return shards.computeIfAbsent(shard, unused -> new UnbatchedAsks(clock)).send(ask, sending);
    }
}
