package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.Terms;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What an operator meets: names of keys, inspection, the rights that are needed, warnings. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisOperatorTest {
    /** As in docs/operating.md. */
    private static final String[] MINIMAL_RIGHTS =
            ("~p1:* +@connection +info +eval +evalsha +time +get +set +incrby +mget +exists +del +pttl +pexpire +zadd +zrem"
                            + " +zcard +zrange +zrangebyscore +zscore +llen +lindex +ltrim +rpush +hset +hmget +hdel +hgetall")
                    .split(" ");

    private final RedisServer redis = RedisServer.start();

    @AfterAll
    void stop() {
        redis.close();
    }

    @Test
    void keys_areReadable() {
        Terms terms = Terms.of("api", Limit.tokenBucket(10, Duration.ofMinutes(1)));
        KeyNames names = new KeyNames("p1");
        assertThat(names.state(Charge.of(terms, Key.of("api/requests/user", "ann@example.com"), 1)))
                .isEqualTo("p1:{api/requests/user:ann@example.com}bucket");
        assertThat(names.state(Charge.of(terms, Key.of("api", java.util.List.of("a{b}", "c d")), 1)))
                .isEqualTo("p1:{api:a%7Bb%7D:c%20d}bucket");
        assertThat(names.state(Charge.of(terms, Key.of("api", "ann"), 1).colocation("acme")))
                .isEqualTo("p1:{acme}api:ann:bucket");
    }

    @Test
    void inspect_tellsWhatIsLeftAndWhatIsHeld() {
        Terms terms = Terms.of("inspected", Limit.tokenBucket(10, Duration.ofMinutes(1)));
        Charge charge = Charge.of(terms, Key.of("inspected", "ann"), 3);
        try (RedisEngine engine = RedisEngine.at(redis.uri()).build()) {
            AccountView fresh = engine.inspect(charge).toCompletableFuture().join();
            assertThat(fresh.status().remaining()).isEqualTo(10);
            assertThat(fresh.forgottenAfter()).isNull();
            decide(engine, Ask.of(charge).hold(Hold.of(Duration.ofMinutes(1))));
            AccountView held = engine.inspect(charge).toCompletableFuture().join();
            assertThat(held.status().remaining()).isEqualTo(7);
            assertThat(held.permits()).isEqualTo(1);
            assertThat(held.forgottenAfter()).isPositive();
        }
    }

    @Test
    void minimalRights_areEnough() {
        String[] user = new String[MINIMAL_RIGHTS.length + 6];
        System.arraycopy(new String[] {"ACL", "SETUSER", "limiter", "on", ">secret", "resetkeys"}, 0, user, 0, 6);
        System.arraycopy(MINIMAL_RIGHTS, 0, user, 6, MINIMAL_RIGHTS.length);
        redis.command(user);
        String uri = "redis://limiter:secret@127.0.0.1:" + redis.port();
        Terms log = Terms.of("rights", Limit.slidingLog(10, Duration.ofMinutes(1)));
        Terms slots = Terms.of("rights", Limit.concurrency(5, Duration.ofMinutes(1)));
        Terms bucket = Terms.of("rights", Limit.tokenBucket(5, Duration.ofMinutes(1)));
        try (RedisEngine engine = RedisEngine.at(uri).build()) {
            Ask ask = Ask.of(charge(log), charge(slots), charge(bucket))
                    .hold(Hold.of(Duration.ofMinutes(1)))
                    .id("request");
            String permit = Objects.requireNonNull(((Allowed) decide(engine, ask)).grant())
                    .id();
            assertThat(settle(engine, permit).status()).isEqualTo(Settlement.Status.SETTLED);
            assertThat(decide(engine, Ask.of(charge(bucket))).isAllowed()).isTrue();
            assertThat(engine.reset(ask).whenReady().toCompletableFuture()).succeedsWithin(Duration.ofSeconds(10));
            assertThat(engine.inspect(charge(bucket))
                            .toCompletableFuture()
                            .join()
                            .permits())
                    .isZero();
        }
        assertThatThrownBy(() -> RedisEngine.at("redis://limiter:wrong@127.0.0.1:" + redis.port())
                        .build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageNotContaining("wrong@");
    }

    @Test
    void companionOfAStateLost_startsAnewAndAdmitsNoMoreThanTheLimit() {
        Charge log = Charge.of(Terms.of("lost", Limit.slidingLog(5, Duration.ofHours(1))), Key.of("lost", "ann"), 1);
        Charge slots = Charge.of(Terms.of("lost", Limit.concurrency(5, Duration.ofHours(1))), Key.of("lost", "ann"), 1);
        try (RedisEngine engine = RedisEngine.at(redis.uri()).build()) {
            for (Charge charge : new Charge[] {log, slots}) {
                String state = new KeyNames("p1").state(charge);
                for (String lost : new String[] {state, state + ":entries", state + ":holds"}) {
                    assertThat(allowedOf(engine, charge, 7)).isEqualTo(5);
                    redis.command("DEL", lost);
                    if (!redis.command("EXISTS", state).equals("0")) {
                        assertThat(allowedOf(engine, charge, 7)).as(lost).isLessThanOrEqualTo(5);
                    }
                    redis.command("DEL", state);
                    assertThat(allowedOf(engine, charge, 7)).as(lost).isEqualTo(5);
                    redis.command("DEL", state, state + ":entries", state + ":holds");
                }
            }
        }
    }

    @Test
    void companionThatHoldsSomethingElse_failsBeforeAnythingIsCharged() {
        Charge bucket =
                Charge.of(Terms.of("type", Limit.tokenBucket(5, Duration.ofHours(1))), Key.of("type", "ann"), 1);
        Charge log = Charge.of(Terms.of("type", Limit.slidingLog(5, Duration.ofHours(1))), Key.of("type", "ann"), 1);
        Charge slots = Charge.of(Terms.of("type", Limit.concurrency(5, Duration.ofHours(1))), Key.of("type", "ann"), 1);
        redis.command("SET", new KeyNames("p1").state(log) + ":entries", "something else");
        redis.command("SET", new KeyNames("p1").state(slots) + ":holds", "something else");
        try (RedisEngine engine = RedisEngine.at(redis.uri()).build()) {
            for (Charge wrong : new Charge[] {log, slots}) {
                assertThatThrownBy(() -> decide(engine, Ask.of(bucket, wrong))).hasMessageContaining("WRONGTYPE");
                assertThat(decide(engine, Ask.of(bucket).peek()).limits().get(0).remaining())
                        .isEqualTo(5);
            }
        }
    }

    private static long allowedOf(RedisEngine engine, Charge charge, int times) {
        long allowed = 0;
        for (int i = 0; i < times; i++) {
            allowed += decide(engine, Ask.of(charge)).isAllowed() ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void evictionPolicy_isRead() {
        assertThat(EvictionPolicy.of("# Memory\r\nused_memory:1\r\nmaxmemory_policy:allkeys-lru\r\n"))
                .isEqualTo("allkeys-lru");
        assertThat(EvictionPolicy.of("")).isEmpty();
    }

    private static Charge charge(Terms terms) {
        return Charge.of(terms, Key.of("rights", "ann"), 1);
    }

    private static Decision decide(RedisEngine engine, Ask ask) {
        return engine.decide(ask).whenReady().toCompletableFuture().join();
    }

    private static Settlement settle(RedisEngine engine, String permit) {
        return engine.settle(permit, Costs.of("requests", 1))
                .whenReady()
                .toCompletableFuture()
                .join();
    }
}
