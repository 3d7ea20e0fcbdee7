package dev.penstock.redis;

import dev.penstock.spi.Fleet;
import io.lettuce.core.SetArgs;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** What nodes learn of one another through Redis. Thread-safe. */
final class RedisFleet implements Fleet {
    private static final byte[] MARK = {'1'};

    private final RedisConnection connection;
    private final KeyNames names;

    RedisFleet(RedisConnection connection, KeyNames names) {
        this.connection = connection;
        this.names = names;
    }

    @Override
    public CompletionStage<Duration> markReturn(Duration life) {
        try {
            RedisClusterAsyncCommands<String, byte[]> commands = connection.commands();
            CompletionStage<String> marked =
                    commands.set(names.returned(), MARK, SetArgs.Builder.nx().px(life));
            return marked.thenCombine(
                    commands.pttl(names.returned()),
                    (unused, leftMillis) -> leftMillis < 0 ? Duration.ZERO : life.minusMillis(leftMillis));
        } catch (RuntimeException e) {
            return CompletableFuture.failedStage(e);
        }
    }
}
