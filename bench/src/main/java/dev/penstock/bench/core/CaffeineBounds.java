package dev.penstock.bench.core;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import java.time.Duration;

/** The bounds of a cache of buckets: more buckets and a longer time than a turn needs. */
final class CaffeineBounds {
    static final int MOST_KEYS = 2_000_000;
    private static final Duration IDLE = Duration.ofMinutes(10);

    private CaffeineBounds() {}

    static Cache<String, Bucket> newCache() {
        return Caffeine.newBuilder()
                .maximumSize(MOST_KEYS)
                .expireAfterAccess(IDLE)
                .build();
    }
}
