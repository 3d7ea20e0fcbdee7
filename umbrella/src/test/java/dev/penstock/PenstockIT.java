package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.penstock.engine.EngineStack;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.observe.PenstockMeters;
import dev.penstock.testkit.server.RedisServer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PenstockIT {
    private static final Policy TWO_A_DAY = Policy.named("api").limit(Limit.fixedWindow(2, Duration.ofDays(1)), "user");
    private static final AtomicInteger USERS = new AtomicInteger();
    private static RedisServer redis;

    @TempDir
    Path directory;

    /** A user name that no other test uses. */
    private final String user = "user" + USERS.incrementAndGet();

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private Path policies(int perDay) throws IOException {
        return Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - name: api
                    limits:
                      - { key: user, fixed_window: %d/day }
                """.formatted(perDay));
    }

    @Test
    void inMemory_policiesInCode_decide() {
        try (Limiter limiter = Penstock.inMemory().policies(TWO_A_DAY).build()) {
            assertThat(limiter.tryAcquire("user", user)).isTrue();
            assertThat(limiter.tryAcquire("user", user)).isTrue();
            assertThat(limiter.tryAcquire("user", user)).isFalse();
        }
    }

    @Test
    void redis_twoNodes_shareLimitsAndTheStoreDecides() {
        try (Limiter one = Penstock.redis(redis.uri()).policies(TWO_A_DAY).build();
                Limiter other = Penstock.redis(redis.uri()).policies(TWO_A_DAY).build()) {
            assertThat(one.decide(Request.of("user", user)).decidedBy()).isEqualTo(Decision.DecidedBy.STORE);
            assertThat(other.tryAcquire("user", user)).isTrue();
            assertThat(one.tryAcquire("user", user)).isFalse();
        }
    }

    @Test
    void redis_keyPrefix_separatesDeployments() {
        try (Limiter one = Penstock.redis(redis.uri())
                        .keyPrefix("one")
                        .policies(TWO_A_DAY)
                        .build();
                Limiter other = Penstock.redis(redis.uri())
                        .keyPrefix("other")
                        .policies(TWO_A_DAY)
                        .build()) {
            assertThat(one.tryAcquire("user", user)).isTrue();
            assertThat(one.tryAcquire("user", user)).isTrue();
            assertThat(other.tryAcquire("user", user)).isTrue();
        }
    }

    @Test
    void policies_changedFile_takesEffectWhileRunning() throws IOException {
        try (Limiter limiter = Penstock.redis(redis.uri()).policies(policies(1)).build()) {
            assertThat(limiter.tryAcquire("user", user)).isTrue();
            assertThat(limiter.tryAcquire("user", user)).isFalse();
            policies(5);
            await().untilAsserted(() -> assertThat(
                            limiter.peek(Request.of("user", user)).isAllowed())
                    .isTrue());
        }
    }

    @Test
    void policies_fileWithErrors_isRefusedWithAllPositions() throws IOException {
        Path file = Files.writeString(
                directory.resolve("bad.yaml"), "version: 1\npolicies:\n  - name: api\n    keey: user\n    limits: 3\n");

        assertThatThrownBy(() -> Penstock.inMemory().policies(file).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("bad.yaml:4:")
                .hasMessageContaining("bad.yaml:5:");
    }

    @Test
    void build_withoutPolicies_isRefused() {
        assertThatThrownBy(() -> Penstock.inMemory().build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("policies: null (expected: files or policies)");
    }

    @Test
    void inMemory_withOptionsOfRedis_isRefused() {
        Penstock.Builder builder = Penstock.inMemory()
                .policies(TWO_A_DAY)
                .nodes(3)
                .deadline(Duration.ofMillis(10))
                .keyPrefix("x")
                .tls(null, null, null);

        assertThatThrownBy(builder::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nodes, deadline, keyPrefix, tls: given without Redis (expected: Penstock.redis(uri))");
    }

    @Test
    void inMemory_takesBoundsOnMemory() {
        try (Limiter limiter = Penstock.inMemory()
                .policies(TWO_A_DAY)
                .maxKeys(1)
                .whenFull(MemoryEngine.WhenFull.DENY)
                .build()) {
            assertThat(limiter.tryAcquire("user", "ann")).isTrue();
            assertThat(limiter.tryAcquire("user", "bob")).isFalse();
        }
    }

    @Test
    void redis_wrongAddress_isRefused() {
        assertThatThrownBy(() ->
                        Penstock.redis("http://localhost").policies(TWO_A_DAY).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("begins with redis");
    }

    @Test
    void redis_downAtTheStart_failureModesDecideUntilItIsUp() {
        RedisServer gone = RedisServer.start();
        gone.close();
        Policy open = TWO_A_DAY.onStoreFailure(FailureMode.OPEN);
        try (Limiter limiter = Penstock.redis(gone.uri()).policies(open).build()) {
            Decision decision = limiter.decide(Request.of("user", user));

            assertThat(decision.isAllowed()).isTrue();
            assertThat(decision.decidedBy()).isEqualTo(Decision.DecidedBy.FALLBACK);
        }
    }

    @Test
    void observer_countsDecisionsAndTrips() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        List<Decision> heard = new ArrayList<>();
        try (Limiter limiter = Penstock.redis(redis.uri())
                .policies(TWO_A_DAY)
                .observer(PenstockMeters.to(registry))
                .listener((request, decision) -> heard.add(decision))
                .build()) {
            Decision decision = limiter.decide(Request.of("user", user));

            assertThat(heard).containsExactly(decision);
            assertThat(registry.get("rate.limiter.decision").timer().count()).isEqualTo(1);
            assertThat(registry.get("rate.limiter.redis.latency.ms").summary().count())
                    .isPositive();
        }
    }

    @Test
    void buildStack_hasEveryEngineAndDecides() {
        EngineStack stack = Penstock.redis(redis.uri()).buildStack();
        try (Limiter limiter =
                Limiter.builder(Policy.setOf(TWO_A_DAY)).engine(stack.engine()).build()) {
            assertThat(limiter.tryAcquire("user", user)).isTrue();
            assertThat(stack.guard().isInFallback()).isFalse();
            assertThat(stack.store().name()).isEqualTo("redis");
        }
    }
}
