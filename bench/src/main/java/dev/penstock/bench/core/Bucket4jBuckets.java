package dev.penstock.bench.core;

import dev.penstock.bench.load.LoadRate;
import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.BucketConfiguration;
import io.github.bucket4j.BucketListener;
import io.github.bucket4j.MathType;
import io.github.bucket4j.TimeMeter;
import io.github.bucket4j.local.LockFreeBucket;
import java.util.function.Supplier;

/** Creates Bucket4j's buckets with the same rate. They share as much as possible. Thread-safe. */
final class Bucket4jBuckets {
    private final Supplier<Bucket> fresh;

    private Bucket4jBuckets(Supplier<Bucket> fresh) {
        this.fresh = fresh;
    }

    /** Follows Bucket4j's documentation: its builder, a shared bandwidth and its default clock. */
    static Bucket4jBuckets of(LoadRate rate) {
        Bandwidth bandwidth = bandwidth(rate);
        return new Bucket4jBuckets(() -> Bucket.builder().addLimit(bandwidth).build());
    }

    /**
     * Creates the smallest buckets that Bucket4j's public classes allow: without the builder, the whole configuration
     * is shared.
     */
    static Bucket4jBuckets withSharedConfiguration(LoadRate rate) {
        BucketConfiguration configuration =
                BucketConfiguration.builder().addLimit(bandwidth(rate)).build();
        return new Bucket4jBuckets(() -> new LockFreeBucket(
                configuration, MathType.INTEGER_64_BITS, TimeMeter.SYSTEM_MILLISECONDS, BucketListener.NOPE));
    }

    /** Returns a new bucket for any key. */
    Bucket of(String key) {
        return fresh.get();
    }

    private static Bandwidth bandwidth(LoadRate rate) {
        return Bandwidth.builder()
                .capacity(rate.permits())
                .refillGreedy(rate.permits(), rate.period())
                .build();
    }
}
