package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Several nodes on one Redis, by the clock of Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisEngineNodesIT {
    private static final int NODES = 8;
    private static final int REQUESTS = 100_000;

    private final RedisServer redis = RedisServer.start();
    private final ClientResources resources = ClientResources.create();

    @AfterAll
    void stop() {
        resources.shutdown().awaitUninterruptibly();
        redis.close();
    }

    @Test
    void eightNodes_threeStackedLimits_admitExactlyTheLimit() {
        LimitSettings user = LimitSettings.of("user", Limit.fixedWindow(300, Duration.ofDays(300)));
        LimitSettings tenant = LimitSettings.of("tenant", Limit.tokenBucket(20_000, Duration.ofDays(300)));
        LimitSettings route = LimitSettings.of("route", Limit.slidingWindow(1_000_000, Duration.ofDays(300)));
        List<RedisEngine> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(engine());
        }
        List<CompletableFuture<Decision>> underway = new ArrayList<>();
        int allowed = 0;
        for (int i = 0; i < REQUESTS; i++) {
            Ask ask = Ask.of(
                    charge(user, "user" + i % 100), charge(tenant, "tenant" + i % 2), charge(route, "route" + i % 7));
            underway.add(nodes.get(i % NODES)
                    .decide(ask.orTimeout(Duration.ofMinutes(1)))
                    .whenReady()
                    .toCompletableFuture());
            if (underway.size() == 2_000) {
                allowed += allowedOf(underway);
                underway.clear();
            }
        }
        allowed += allowedOf(underway);
        assertThat(allowed).isEqualTo(100 * 300);
        for (RedisEngine node : nodes) {
            node.close();
        }
    }

    private static int allowedOf(List<CompletableFuture<Decision>> underway) {
        return (int)
                underway.stream().filter(answer -> answer.join().isAllowed()).count();
    }

    @Test
    void decide_foreignKey_failsOnlyItsOwnAsks() {
        LimitSettings settings = LimitSettings.of("p", Limit.tokenBucket(10, Duration.ofDays(1)));
        try (RedisEngine node = engine()) {
            String key = new KeyNames("p1").state(charge(settings, "foreign"));
            redis.command("RPUSH", key, "something", "else");
            CompletableFuture<Decision> fine =
                    node.decide(Ask.of(charge(settings, "fine"))).whenReady().toCompletableFuture();
            CompletableFuture<Decision> foreign =
                    node.decide(Ask.of(charge(settings, "foreign"))).whenReady().toCompletableFuture();
            CompletableFuture<Decision> both = node.decide(
                            Ask.of(charge(settings, "other"), charge(settings, "foreign")))
                    .whenReady()
                    .toCompletableFuture();
            assertThat(fine.join().isAllowed()).isTrue();
            assertThatThrownBy(foreign::join).hasMessageContaining("holds data not written by Penstock");
            assertThatThrownBy(both::join).hasMessageContaining("holds data not written by Penstock");
            assertThat(redis.command("TYPE", key)).isEqualTo("list");
            CompletableFuture<Decision> other = node.decide(
                            Ask.of(charge(settings, "other")).peek())
                    .whenReady()
                    .toCompletableFuture();
            assertThat(other.join().limits().get(0).remaining()).isEqualTo(10);
        }
    }

    @Test
    void decide_afterScriptFlush_succeeds() {
        LimitSettings settings = LimitSettings.of("q", Limit.tokenBucket(10, Duration.ofDays(1)));
        LimitSettings slots = LimitSettings.of("q", Limit.concurrency(5, Duration.ofMinutes(1)));
        try (RedisEngine node = engine()) {
            for (int i = 0; i < 3; i++) {
                redis.command("SCRIPT", "FLUSH");
                Ask simple = Ask.of(charge(settings, "flushed"));
                Ask held = Ask.of(charge(slots, "flushed"));
                assertThat(node.decide(simple)
                                .whenReady()
                                .toCompletableFuture()
                                .join()
                                .isAllowed())
                        .isTrue();
                assertThat(node.decide(held)
                                .whenReady()
                                .toCompletableFuture()
                                .join()
                                .isAllowed())
                        .isTrue();
            }
        }
    }

    @Test
    void keys_expireSoonAfterTheyMatter() {
        LimitSettings second = LimitSettings.of("ttl", Limit.tokenBucket(10, Duration.ofSeconds(10)));
        LimitSettings log = LimitSettings.of("ttl", Limit.slidingLog(10, Duration.ofSeconds(10)));
        LimitSettings slots = LimitSettings.of("ttl", Limit.concurrency(5, Duration.ofSeconds(10)));
        try (RedisEngine node = engine()) {
            Ask all = Ask.of(charge(second, "short"), charge(log, "short"), charge(slots, "short"))
                    .id("request");
            assertThat(node.decide(Ask.of(charge(second, "lone")))
                            .whenReady()
                            .toCompletableFuture()
                            .join()
                            .isAllowed())
                    .isTrue();
            assertThat(node.decide(all).whenReady().toCompletableFuture().join().isAllowed())
                    .isTrue();
            for (String key : redis.command("KEYS", "p1:*").lines().toList()) {
                long ttl = Long.parseLong(redis.command("PTTL", key));
                assertThat(ttl).as(key).isBetween(1L, 24L * 3_600 * 1_000 * 400);
                if (key.contains("ttl") && key.contains("short")) {
                    assertThat(ttl).as(key).isLessThan(22_000);
                }
            }
        }
    }

    private RedisEngine engine() {
        return RedisEngine.builder(redis.uri()).resources(resources).build();
    }

    private static Charge charge(LimitSettings settings, String key) {
        return Charge.of(settings, Key.of(settings.policy(), key), 1);
    }
}
