package dev.penstock.bench.redis;

import dev.penstock.bench.load.LoadRate;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.redisson.Redisson;
import org.redisson.api.RRateLimiter;
import org.redisson.api.RateType;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** Redisson's rate limiters with its default pool; each keeps a log of what it granted in the period. Thread-safe. */
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

    /** Its rate is a state of the key, which its users set once. */
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
