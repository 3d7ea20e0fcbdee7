package dev.penstock.redis;

import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * An account as an operator sees it.
 *
 * @param key its name in Redis
 * @param status what a request at the charge's cost would meet now; nothing was charged
 * @param permits how many permits hold something of it
 * @param forgottenAfter when Redis forgets it if nobody asks for it; null where nothing is kept
 */
public record AccountView(
        String key,
        LimitStatus status,
        long permits,
        @Nullable Duration forgottenAfter) {
    /** @param peek a question at the charge's cost */
    static CompletionStage<AccountView> of(
            String key, CompletionStage<Decision> peek, RedisClusterAsyncCommands<String, byte[]> commands) {
        CompletionStage<Long> ttl = commands.pttl(key);
        CompletionStage<Long> permits = commands.zcard(key + ":holds");
        return ttl.thenCompose(millis -> permits.thenCombine(
                peek,
                (count, decision) -> new AccountView(
                        key, decision.limits().get(0), count, millis < 0 ? null : Duration.ofMillis(millis))));
    }
}
