package dev.penstock.bench.redis;

import dev.penstock.bench.load.LoadRate;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.distributed.AsyncBucketProxy;
import io.github.bucket4j.distributed.ExpirationAfterWriteStrategy;
import io.github.bucket4j.distributed.proxy.AsyncProxyManager;
import io.github.bucket4j.distributed.proxy.optimization.Optimizations;
import io.github.bucket4j.redis.lettuce.Bucket4jLettuce;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.codec.RedisCodec;
import io.lettuce.core.codec.StringCodec;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** Bucket4j's buckets over Lettuce, which read the state and then compare and swap it. Thread-safe. */
final class Bucket4jLettuceBuckets implements Decider {
    /** How long a key outlives the time at which its bucket is full, as in Bucket4j's documentation. */
    private static final Duration KEPT = Duration.ofSeconds(10);

    private final RedisClient client;
    private final StatefulRedisConnection<String, byte[]> connection;
    private final Function<String, AsyncBucketProxy> buckets;

    private Bucket4jLettuceBuckets(
            String uri, Function<AsyncProxyManager<String>, Function<String, AsyncBucketProxy>> of) {
        this.client = RedisClient.create(uri);
        this.connection = client.connect(RedisCodec.of(StringCodec.UTF8, ByteArrayCodec.INSTANCE));
        this.buckets = of.apply(Bucket4jLettuce.casBasedBuilder(connection)
                .expirationAfterWrite(ExpirationAfterWriteStrategy.basedOnTimeForRefillingBucketUpToMax(KEPT))
                .build()
                .asAsync());
    }

    /** Creates a bucket per request, as in Bucket4j's documentation. */
    static Bucket4jLettuceBuckets byDefault(String uri, LoadRate rate) {
        CompletableFuture<BucketConfiguration> configuration = CompletableFuture.completedFuture(configuration(rate));
        return new Bucket4jLettuceBuckets(
                uri, manager -> key -> manager.builder().build(key, () -> configuration));
    }

    /** Uses Bucket4j's batching. It works within a bucket object, so one object per key is kept. */
    static Bucket4jLettuceBuckets batching(String uri, LoadRate rate) {
        CompletableFuture<BucketConfiguration> configuration = CompletableFuture.completedFuture(configuration(rate));
        ConcurrentMap<String, AsyncBucketProxy> kept = new ConcurrentHashMap<>();
        return new Bucket4jLettuceBuckets(
                uri,
                manager -> key -> kept.computeIfAbsent(
                        key,
                        fresh -> manager.builder()
                                .withOptimization(Optimizations.batching())
                                .build(fresh, () -> configuration)));
    }

    private static BucketConfiguration configuration(LoadRate rate) {
        return BucketConfiguration.builder()
                .addLimit(Bandwidth.builder()
                        .capacity(rate.permits())
                        .refillGreedy(rate.permits(), rate.period())
                        .build())
                .build();
    }

    @Override
    public CompletionStage<Boolean> decide(List<String> values) {
        return buckets.apply(Keys.of(values.get(0)))
                .tryConsumeAndReturnRemaining(1)
                .thenApply(ConsumptionProbe::isConsumed);
    }

    @Override
    public void close() {
        connection.close();
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
    }
}
