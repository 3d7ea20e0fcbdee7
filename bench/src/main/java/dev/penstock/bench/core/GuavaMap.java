package dev.penstock.bench.core;

import com.google.common.util.concurrent.RateLimiter;
import dev.penstock.bench.load.LoadRate;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * Guava's rate limiters in a ConcurrentHashMap. They answer yes or no. They cannot deny a cost above the capacity: any
 * cost is granted and later callers pay for it, so the cost here is always one. Thread-safe.
 */
final class GuavaMap {
    private final ConcurrentMap<String, RateLimiter> limiters = new ConcurrentHashMap<>();
    private final Function<String, RateLimiter> newLimiter;

    GuavaMap(LoadRate rate) {
        double permitsPerSecond = rate.permits()
                * (double) Duration.ofSeconds(1).toNanos()
                / rate.period().toNanos();
        newLimiter = key -> RateLimiter.create(permitsPerSecond);
    }

    boolean decide(String key) {
        RateLimiter limiter = limiters.get(key);
        if (limiter == null) {
            limiter = limiters.computeIfAbsent(key, newLimiter);
        }
        return limiter.tryAcquire();
    }
}
