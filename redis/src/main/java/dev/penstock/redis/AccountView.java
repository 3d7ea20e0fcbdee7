package dev.penstock.redis;

import dev.penstock.Decision;
import dev.penstock.LimitStatus;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The state of an account, for operators.
 *
 * @param key the name of the account's key in Redis
 * @param status the result that a request at the charge's cost would get now; nothing was charged
 * @param permits the number of permits that hold something in the account
 * @param forgottenAfter when Redis drops the account if it is not used again; null if nothing is stored
 */
public record AccountView(
        String key,
        LimitStatus status,
        long permits,
        @Nullable Duration forgottenAfter) {
    /** @param peek a peek at the charge's cost */
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
