package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.engine.Guard;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ids of permits, and how a guard treats them while Redis is unavailable. */
class RedisPermitIdIT {
    private static final LimitSettings TERMS = LimitSettings.of("policy", Limit.tokenBucket(10, Duration.ofDays(1)))
            .onStoreFailure(FailureMode.OPEN);
    private static final Ask RESERVE =
            Ask.of(Charge.of(TERMS, Key.of("counter", "ann"), 1)).hold(Hold.of(Duration.ofHours(1)));

    private static <T> T await(Reply<T> reply) {
        return reply.whenReady().toCompletableFuture().join();
    }

    @Test
    void parse_ofSeveral_isEachOrNone() {
        String one = PermitId.random("redis", 7).text();
        String other = PermitId.random("redis", 16_383).text();
        assertThat(parse(one, other)).containsExactly(new PermitId(one, 7), new PermitId(other, 16_383));
        assertThat(parse(one, "abc")).isEmpty();
        assertThat(parse(one, "")).isEmpty();
        assertThat(parse(inSlots(Ask.MOST_CHARGES))).hasSize(Ask.MOST_CHARGES);
        assertThat(parse(inSlots(Ask.MOST_CHARGES + 1))).isEmpty();
        assertThat(PermitId.parse("redis", PermitId.joint(List.of(one, other)), 1))
                .isEmpty();
    }

    @Test
    void parse_moreThanARequestCanHold_isNone() {
        String one = PermitId.random("redis", 7).text();
        String slots = PermitId.random("redis", 7).text();
        assertThat(parse(one, slots)).hasSize(2);
        assertThat(parse(one, one)).as("twice the same").isEmpty();
        assertThat(parse(one, slots, PermitId.random("redis", 7).text()))
                .as("three in one slot")
                .isEmpty();
    }

    private static List<PermitId> parse(String... ids) {
        return PermitId.parse("redis", PermitId.joint(List.of(ids)), Ask.MOST_CHARGES);
    }

    private static String[] inSlots(int count) {
        return IntStream.range(0, count)
                .mapToObj(slot -> PermitId.random("redis", slot).text())
                .toArray(String[]::new);
    }

    @Test
    void settle_forgedIds_costsRedisAtMostOneRead() {
        try (RedisServer redis = RedisServer.start();
                RedisEngine engine = RedisEngine.builder(redis.uri()).build()) {
            String forged = PermitId.random("redis", 7).text();
            assertThat(commands(redis, engine, forged)).isEqualTo(1);
            assertThat(commands(redis, engine, forged + "+" + forged)).isZero();
            assertThat(commands(redis, engine, PermitId.joint(List.of(inSlots(64)))))
                    .isZero();
        }
    }

    @Test
    void settle_genuineId_takesTwoCommands() {
        try (RedisServer redis = RedisServer.start();
                RedisEngine engine = RedisEngine.builder(redis.uri()).build()) {
            Allowed reserved = (Allowed) await(engine.decide(RESERVE));
            String id = Objects.requireNonNull(reserved.permitHandle()).id();
            await(engine.settle(id, null)); // Redis knows the script from now on
            assertThat(commands(redis, engine, id)).isEqualTo(2);
        }
    }

    @Test
    void settle_forgedIdsInACluster_costAReadEachAndNoScript() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisEngine engine = RedisEngine.builder("redis-cluster://127.0.0.1:"
                                + cluster.nodes().get(0).port())
                        .build()) {
            cluster.nodes().forEach(node -> node.command("CONFIG", "RESETSTAT"));
            assertThat(await(engine.settle(PermitId.joint(List.of(inSlots(64))), null)))
                    .isEqualTo(Settlement.unknown());
            assertThat(cluster.nodes().stream()
                            .mapToLong(node -> calls(node, "hgetall"))
                            .sum())
                    .isEqualTo(64);
            assertThat(cluster.nodes().stream()
                            .mapToLong(node -> calls(node, "evalsha"))
                            .sum())
                    .isZero();
        }
    }

    private static long commands(RedisServer redis, RedisEngine engine, String id) {
        redis.command("CONFIG", "RESETSTAT");
        await(engine.settle(id, null));
        return calls(redis, "hgetall") + calls(redis, "evalsha") + calls(redis, "eval");
    }

    private static long calls(RedisServer redis, String command) {
        return redis.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_" + command + ":"))
                .mapToLong(line -> Long.parseLong(line.replaceAll(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }

    @Test
    void guard_redisAway_keepsOnlyWhatRedisMayHaveIssued() {
        try (RedisServer redis = RedisServer.start();
                Guard guard = Guard.builder(RedisEngine.builder(redis.uri()).build())
                        .deadline(Duration.ofSeconds(5))
                        .build()) {
            Decision reserved = await(guard.decide(RESERVE));
            String id =
                    Objects.requireNonNull(((Allowed) reserved).permitHandle()).id();
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
                    id + "+" + id,
                    "redis-0-" + "a".repeat(10_000))) {
                assertThat(await(guard.settle(other, null))).as(other).isEqualTo(Settlement.unknown());
                assertThat(await(guard.renew(other))).as(other).isEqualTo(Settlement.unknown());
            }
            assertThat(guard.stats()).isEqualTo(new Guard.Stats(0, 0));

            assertThat(await(guard.renew(id))).isEqualTo(Settlement.pending());
            assertThat(await(guard.settle(id, Costs.of("requests", 0)))).isEqualTo(Settlement.pending());
            assertThat(guard.stats()).isEqualTo(new Guard.Stats(1, 0));
        }
    }
}
