package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.PolicyLimit;
import dev.penstock.PolicyLimit.BlockRule;
import dev.penstock.Request;
import dev.penstock.engine.DenyCache;
import dev.penstock.engine.Guard;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.InterceptingEngine;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Blocks that denials cause when nodes share a Redis or a Cluster. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisBlockIT {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);
    private static final PolicyLimit TWO =
            PolicyLimit.of(Limit.tokenBucket(2, DAY)).by("user").blockFor(DAY.multipliedBy(3));

    private final RedisServer redis = RedisServer.start();

    @AfterAll
    void stop() {
        redis.close();
    }

    private static Limiter limiter(Engine engine, Policy... policies) {
        return Limiter.builder(Policy.setOf(policies)).engine(engine).build();
    }

    private static void drain(Limiter limiter, Request request) {
        assertThat(limiter.decide(request).isAllowed()).isTrue();
        assertThat(limiter.decide(request).isAllowed()).isTrue();
    }

    private static void assertBlocked(Decision decision) {
        assertThat(decision)
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.reason()).isEqualTo(Denied.Reason.BLOCKED));
    }

    private Engine node() {
        RedisEngine engine = RedisEngine.builder(redis.uri()).build();
        return Guard.builder(DenyCache.around(engine))
                .deadline(Duration.ofSeconds(30))
                .build();
    }

    @Test
    void blockedOnOneNode_isBlockedOnTheOtherAndResetOnBoth() {
        Policy policy = Policy.named("nodes").limit(TWO);
        Request ann = Request.of("user", "ann").timeout(Duration.ofSeconds(30));
        try (Limiter one = limiter(node(), policy);
                Limiter other = limiter(node(), policy)) {
            drain(one, ann);
            assertBlocked(one.decide(ann));
            assertBlocked(other.decide(ann));
            one.reset(ann);
            assertThat(one.decide(ann).isAllowed()).isTrue();
        }
    }

    @Test
    void keys_existWhileTheyMatter() {
        Policy policy = Policy.named("keys")
                .limit(PolicyLimit.of(Limit.slidingLog(2, HOUR)).by("user").block(new BlockRule(2, HOUR, DAY)));
        Request bob = Request.of("user", "bob").timeout(Duration.ofSeconds(30));
        String key = "p1:{keys/1h/user:bob}lockout-log-1h";
        try (Limiter limiter = limiter(RedisEngine.builder(redis.uri()).build(), policy)) {
            drain(limiter, bob);
            assertThat(redis.command("EXISTS", key)).as("without strikes").isEqualTo("0");
            assertThat(limiter.decide(bob).isAllowed()).isFalse();
            assertThat(Long.parseLong(redis.command("PTTL", key)))
                    .isBetween(HOUR.toMillis() / 2, HOUR.toMillis() + 2_000);
            assertBlocked(limiter.decide(bob));
            assertThat(Long.parseLong(redis.command("PTTL", key)))
                    .isBetween(DAY.toMillis() / 2, DAY.toMillis() + 2_000);
            limiter.reset(bob);
            assertThat(redis.command("EXISTS", key)).isEqualTo("0");
        }
    }

    @Test
    void block_ends_byTheStoresClock() {
        ManualClock clock = new ManualClock();
        Request ann = Request.of("user", "ann").timeout(Duration.ofSeconds(30));
        Limit fast = Limit.tokenBucket(2, Duration.ofSeconds(1));
        Policy policy =
                Policy.named("ends").limit(PolicyLimit.of(fast).by("user").blockFor(HOUR));
        try (Limiter limiter =
                limiter(RedisEngine.builder(redis.uri()).countBy(clock).build(), policy)) {
            drain(limiter, ann);
            assertBlocked(limiter.decide(ann));
            clock.advance(HOUR.minusNanos(1_000));
            assertBlocked(limiter.decide(ann));
            clock.advance(Duration.ofNanos(1_000));
            assertThat(limiter.decide(ann).isAllowed()).isTrue();
        }
    }

    /** Counts the decisions that Redis was asked for. */
    private static class Trips extends InterceptingEngine {
        final AtomicInteger count = new AtomicInteger();

        Trips(Engine inner) {
            super(inner);
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            count.incrementAndGet();
            return super.decide(ask);
        }
    }

    @Test
    void cluster_blockIsInTheSlotOfItsCharge() {
        KeyNames names = new KeyNames("p1");
        try (RedisCluster cluster = RedisCluster.start()) {
            RedisEngine engine = RedisEngine.builder("redis-cluster://127.0.0.1:"
                            + cluster.nodes().get(0).port())
                    .build();
            Policy together = Policy.named("tenants").colocate("tenant").limit(TWO);
            Trips trips = new Trips(engine) {
                @Override
                protected Ask passedOn(Ask ask) {
                    assertThat(SpanningAsk.spans(ask, names)).isFalse();
                    return ask;
                }
            };
            try (Limiter alone = limiter(trips, Policy.named("cluster").limit(TWO));
                    Limiter colocated = limiter(trips, together)) {
                for (int i = 0; i < 20; i++) {
                    Request request =
                            Request.of("user", "u" + i).with("tenant", "t" + i).timeout(Duration.ofSeconds(30));
                    for (Limiter limiter : new Limiter[] {alone, colocated}) {
                        int before = trips.count.get();
                        drain(limiter, request);
                        assertThat(trips.count.get() - before).isEqualTo(2);
                        assertBlocked(limiter.decide(request));
                        assertBlocked(limiter.decide(request));
                    }
                }
            }
        }
    }

    @Test
    void replicas_strikeWaitsForThem() {
        try (RedisServer replica = RedisServer.start()) {
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(redis.port()));
            Policy policy = Policy.named("replicated").replicas(1).limit(TWO);
            Request ann = Request.of("user", "ann").timeout(Duration.ofSeconds(30));
            try (Limiter limiter = limiter(RedisEngine.builder(redis.uri()).build(), policy)) {
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                    limiter.reset(ann);
                    return limiter.decide(ann).decidedBy() == DecidedBy.STORE;
                });
                assertThat(limiter.decide(ann).isAllowed()).isTrue();
                assertBlocked(limiter.decide(ann));
                assertThat(replica.command("EXISTS", "p1:{replicated/1d/user:ann}lockout-bucket"))
                        .isEqualTo("1");
            }
        }
    }
}
