package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.FailureMode;
import dev.penstock.Guard;
import dev.penstock.Hold;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.Terms;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ids of permits, and what a guard makes of them while Redis is away. */
class RedisPermitIdTest {
    private static final Terms TERMS =
            Terms.of("policy", Limit.tokenBucket(10, Duration.ofDays(1))).onStoreFailure(FailureMode.OPEN);
    private static final Ask RESERVE =
            Ask.of(Charge.of(TERMS, Key.of("counter", "ann"), 1)).hold(Hold.of(Duration.ofHours(1)));

    private static <T> T await(Reply<T> reply) {
        return reply.whenReady().toCompletableFuture().join();
    }

    @Test
    void parse_ofSeveral_isEachOrNone() {
        String one = PermitId.random("redis", 7).text();
        String other = PermitId.random("redis", 16_383).text();
        assertThat(PermitId.parse("redis", PermitId.joint(List.of(one, other))))
                .containsExactly(new PermitId(one, 7), new PermitId(other, 16_383));
        assertThat(PermitId.parse("redis", one + "+abc")).isEmpty();
        assertThat(PermitId.parse("redis", one + "+")).isEmpty();
        assertThat(PermitId.parse(
                        "redis",
                        PermitId.joint(IntStream.range(0, Ask.MOST_CHARGES)
                                .mapToObj(i -> one)
                                .toList())))
                .hasSize(Ask.MOST_CHARGES);
        assertThat(PermitId.parse(
                        "redis",
                        PermitId.joint(IntStream.rangeClosed(0, Ask.MOST_CHARGES)
                                .mapToObj(i -> one)
                                .toList())))
                .isEmpty();
    }

    @Test
    void guard_redisAway_keepsOnlyWhatRedisMayHaveIssued() {
        try (RedisServer redis = RedisServer.start();
                Guard guard = Guard.around(RedisEngine.at(redis.uri()).build())
                        .deadline(Duration.ofSeconds(5))
                        .build()) {
            Decision reserved = await(guard.decide(RESERVE));
            String id = Objects.requireNonNull(((Allowed) reserved).grant()).id();
            redis.kill();
            while (!guard.isInFallback()) {
                await(guard.decide(RESERVE));
            }
            String random = id.substring(id.lastIndexOf('-'));
            for (String other : List.of(
                    "abc",
                    "redis",
                    "redis-0-",
                    "redis" + random,
                    "redis-16384" + random,
                    "redis-x" + random,
                    "memory" + random,
                    id + "0",
                    id.substring(0, id.length() - 1),
                    id.toUpperCase(Locale.ROOT),
                    id + "+abc",
                    "redis-0-" + "a".repeat(10_000))) {
                assertThat(await(guard.settle(other, null))).as(other).isEqualTo(Settlement.unknown());
                assertThat(await(guard.renew(other))).as(other).isEqualTo(Settlement.unknown());
            }
            assertThat(guard.stats()).isEqualTo(new Guard.Stats(0, 0));

            assertThat(await(guard.renew(id))).isEqualTo(Settlement.pending());
            assertThat(await(guard.settle(id, Costs.of("requests", 0)))).isEqualTo(Settlement.pending());
            assertThat(await(guard.settle(id + "+" + id, null))).isEqualTo(Settlement.pending());
            assertThat(guard.stats()).isEqualTo(new Guard.Stats(2, 0));
        }
    }
}
