package dev.penstock.bench.core;

import com.github.benmanes.caffeine.cache.Cache;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.util.function.Function;

/** Bucket4j in a Caffeine cache, which users choose if they need a memory bound. Thread-safe. */
final class Bucket4jCaffeine {
    private final Cache<String, Bucket> buckets = CaffeineBounds.newCache();
    private final Function<String, Bucket> newBucket;

    Bucket4jCaffeine(Bucket4jBuckets buckets) {
        newBucket = buckets::of;
    }

    ConsumptionProbe decide(String key) {
        return buckets.get(key, newBucket).tryConsumeAndReturnRemaining(1);
    }

    /** Returns the number of buckets after the cache has done its deferred work. */
    int keys() {
        buckets.cleanUp();
        return Math.toIntExact(buckets.estimatedSize());
    }
}
