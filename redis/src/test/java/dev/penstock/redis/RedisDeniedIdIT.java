package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A denied request leaves nothing in Redis under its id. Otherwise a denied caller could fill Redis. */
class RedisDeniedIdIT {
    private static final int DENIALS = 200;
    private static final Charge CHARGE = Charge.of(
            LimitSettings.of("denied", Limit.fixedWindow(1, Duration.ofDays(300))), Key.of("denied", "ann"), 1);

    @Test
    void alone_deniedIdsLeaveNoRecord() {
        try (RedisServer redis = RedisServer.start();
                RedisEngine engine = RedisEngine.builder(redis.uri()).build()) {
            decide(engine, Ask.of(CHARGE));
            String before = redis.command("DBSIZE");
            denyMany(engine);
            assertThat(redis.command("DBSIZE")).isEqualTo(before);
        }
    }

    @Test
    void inACluster_deniedIdsLeaveNoRecord() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisEngine engine = at(cluster)) {
            decide(engine, Ask.of(CHARGE));
            long before = keys(cluster);
            denyMany(engine);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(keys(cluster)).isEqualTo(before));
        }
    }

    @Test
    void inACluster_deniedWhileARepeatIsAllowed_idStaysTaken() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisEngine engine = at(cluster)) {
            List<CompletableFuture<Decision>> underway = new ArrayList<>();
            // one ask is allowed, those with the same charges get its answer, and the others are denied
            for (int i = 0; i < DENIALS; i++) {
                Charge cost = Charge.of(CHARGE.settings(), CHARGE.key(), i % 2 + 1);
                Ask ask = Ask.of(cost).id(new IdempotencyKey("request", "mine")).orTimeout(Duration.ofMinutes(1));
                underway.add(engine.decide(ask).whenReady().toCompletableFuture());
            }
            assertThat(underway).anyMatch(each -> each.join().isAllowed());
            Ask other = Ask.of(CHARGE).id(new IdempotencyKey("request", "other"));
            assertThat(((Denied) decide(engine, other)).reason()).isEqualTo(Denied.Reason.ID_TAKEN);
        }
    }

    private static RedisEngine at(RedisCluster cluster) {
        return RedisEngine.builder(
                        "redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port())
                .build();
    }

    private static void denyMany(RedisEngine engine) {
        for (int i = 0; i < DENIALS; i++) {
            Ask ask = Ask.of(CHARGE).id(new IdempotencyKey("request " + i, "mine"));
            assertThat(decide(engine, ask).isAllowed()).isFalse();
        }
    }

    private static long keys(RedisCluster cluster) {
        return cluster.nodes().stream()
                .mapToLong(node -> Long.parseLong(node.command("DBSIZE")))
                .sum();
    }

    private static Decision decide(RedisEngine engine, Ask ask) {
        return engine.decide(ask.orTimeout(Duration.ofMinutes(1)))
                .whenReady()
                .toCompletableFuture()
                .join();
    }
}
