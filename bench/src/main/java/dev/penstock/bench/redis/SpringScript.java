package dev.penstock.bench.redis;

import dev.penstock.bench.load.LoadRate;
import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * The script of Spring Cloud Gateway's RedisRateLimiter, from its jar, with the same keys and arguments as there, sent
 * by Lettuce as Spring does. Thread-safe.
 */
final class SpringScript extends OverLettuce {
    private static final String RESOURCE = "/META-INF/scripts/request_rate_limiter.lua";

    private final String sha;
    private final String[] arguments;

    SpringScript(String uri, LoadRate rate) {
        super(Lettuce.flushingEach(uri));
        this.sha = lettuce.load(RESOURCE);
        double perSecond = (double) rate.permits() / rate.period().toSeconds();
        this.arguments = new String[] {Double.toString(perSecond), Integer.toString(rate.permits()), "", "1"};
    }

    @Override
    public CompletionStage<Boolean> decide(List<String> values) {
        String name = "request_rate_limiter.{" + Keys.of(values.get(0)) + "}.";
        String[] keys = {name + "tokens", name + "timestamp"};
        CompletionStage<List<Long>> answer = lettuce.commands().evalsha(sha, ScriptOutputType.MULTI, keys, arguments);
        return answer.thenApply(numbers -> numbers.get(0) == 1);
    }
}
