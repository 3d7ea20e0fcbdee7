package dev.penstock.bench.redis;

import dev.penstock.bench.load.LoadRate;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's rate limiters with the default pool. Each keeps a log of what it granted in the period. Thread-safe. */
final class RedissonLimiters implements Decider {
    private final RedissonClient client;
    private final LoadRate rate;

    RedissonLimiters(String uri, LoadRate rate) {
        Config config = new Config();
        config.useSingleServer().setAddress(uri);
        this.client = Redisson.create(config);
        this.rate = rate;
    }

    @Override
    public CompletionStage<Boolean> decide(List<String> values) {
        return client.getRateLimiter(Keys.of(values.get(0))).tryAcquireAsync();
    }

    /** Sets the rate, which is part of the key's state, and then asks. */
    @Override
    public CompletionStage<Boolean> decideFirst(List<String> values) {
        RRateLimiter limiter = client.getRateLimiter(Keys.of(values.get(0)));
        return limiter.trySetRateAsync(RateType.OVERALL, rate.permits(), rate.period())
                .thenCompose(isNew -> limiter.tryAcquireAsync());
    }

    @Override
    public void close() {
        client.shutdown();
    }
}
