package dev.penstock.bench.core;

import dev.penstock.bench.load.LoadRate;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** Bucket4j in a ConcurrentHashMap without a bound. Thread-safe. */
final class Bucket4jMap {
    private final ConcurrentMap<String, Bucket> buckets = new ConcurrentHashMap<>();
    private final Function<String, Bucket> newBucket;

    Bucket4jMap(LoadRate rate) {
        newBucket = Bucket4jBuckets.of(rate)::of;
    }

    ConsumptionProbe decide(String key, int cost) {
        Bucket bucket = buckets.get(key); // computeIfAbsent alone would lock when two keys share a bin
        if (bucket == null) {
            bucket = buckets.computeIfAbsent(key, newBucket);
        }
        return bucket.tryConsumeAndReturnRemaining(cost);
    }

    int keys() {
        return buckets.size();
    }
}
