package dev.penstock.bench.core;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.github.bucket4j.Bucket;
import java.time.Duration;

/** The bounds under which a cache keeps buckets: more than are ever used here, for longer than a turn lasts. */
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
