package dev.penstock.bench.core;

import dev.penstock.bench.load.LoadRate;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.RateLimiterRegistry;
import java.time.Duration;

/**
 * Resilience4j's rate limiters in its own registry. They answer yes or no, and their periods are fixed windows.
 * Thread-safe.
 */
final class Resilience4jRegistry {
    private final RateLimiterRegistry registry;

    Resilience4jRegistry(LoadRate rate) {
        registry = RateLimiterRegistry.of(RateLimiterConfig.custom()
                .limitForPeriod(rate.permits())
                .limitRefreshPeriod(rate.period())
                .timeoutDuration(Duration.ZERO)
                .build());
    }

    boolean decide(String key, int cost) {
        return registry.rateLimiter(key).acquirePermission(cost);
    }
}
