package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.engine.Guard;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.StoreRefused;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Redis as operators see it: names of keys, inspection, foreign keys. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisOperatorIT {
    private final RedisServer redis = RedisServer.start();

    @AfterAll
    void stop() {
        redis.close();
    }

    @Test
    void keys_areReadable() {
        LimitSettings settings = LimitSettings.of("api", Limit.tokenBucket(10, Duration.ofMinutes(1)));
        KeyNames names = new KeyNames("p1");
        assertThat(names.state(Charge.of(settings, Key.of("api/requests/user", "ann@example.com"), 1)))
                .isEqualTo("p1:{api/requests/user:ann@example.com}bucket");
        assertThat(names.state(Charge.of(settings, Key.of("api", List.of("a{b}", "c d")), 1)))
                .isEqualTo("p1:{api:a%7Bb%7D:c%20d}bucket");
        assertThat(names.state(Charge.of(settings, Key.of("api", "ann"), 1).colocation("acme")))
                .isEqualTo("p1:{acme}api:ann:bucket");
    }

    @Test
    void inspect_reportsTheRemainderAndTheHolds() {
        LimitSettings settings = LimitSettings.of("inspected", Limit.tokenBucket(10, Duration.ofMinutes(1)));
        Charge charge = Charge.of(settings, Key.of("inspected", "ann"), 3);
        try (RedisEngine engine = RedisEngine.builder(redis.uri()).build()) {
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
    void companionKeyLost_startsEmptyAndAdmitsNoMoreThanTheLimit() {
        Charge log =
                Charge.of(LimitSettings.of("lost", Limit.slidingLog(5, Duration.ofHours(1))), Key.of("lost", "ann"), 1);
        Charge slots = Charge.of(
                LimitSettings.of("lost", Limit.concurrency(5, Duration.ofHours(1))), Key.of("lost", "ann"), 1);
        try (RedisEngine engine = RedisEngine.builder(redis.uri()).build()) {
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
    void foreignCompanionKey_failsBeforeAnythingIsCharged() {
        Charge bucket = Charge.of(
                LimitSettings.of("type", Limit.tokenBucket(5, Duration.ofHours(1))), Key.of("type", "ann"), 1);
        Charge log =
                Charge.of(LimitSettings.of("type", Limit.slidingLog(5, Duration.ofHours(1))), Key.of("type", "ann"), 1);
        Charge slots = Charge.of(
                LimitSettings.of("type", Limit.concurrency(5, Duration.ofHours(1))), Key.of("type", "ann"), 1);
        redis.command("SET", new KeyNames("p1").state(log) + ":entries", "something else");
        redis.command("SET", new KeyNames("p1").state(slots) + ":holds", "something else");
        try (RedisEngine engine = RedisEngine.builder(redis.uri()).build()) {
            for (Charge wrong : new Charge[] {log, slots}) {
                assertThatThrownBy(() -> decide(engine, Ask.of(bucket, wrong)))
                        .hasCauseInstanceOf(StoreRefused.class)
                        .hasMessageContaining("WRONGTYPE");
                assertThat(decide(engine, Ask.of(bucket).peek()).limits().get(0).remaining())
                        .isEqualTo(5);
            }
        }
    }

    @Test
    void foreignKey_failureModeDecidesAndTheStoreDecidesOthers() {
        LimitSettings settings = LimitSettings.of("foreign", Limit.tokenBucket(1_000, Duration.ofDays(1)));
        Charge list = Charge.of(settings, Key.of("foreign", "list"), 1);
        redis.command("RPUSH", new KeyNames("p1").state(list), "something else");
        try (Guard guard = Guard.builder(RedisEngine.builder(redis.uri()).build())
                .deadline(Duration.ofSeconds(10))
                .build()) {
            onlyItsOwnFails(guard, list);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"something else", "", "12", "123456789012345678", "12345678901234567890", "\1abc", "\2", "\3"})
    void keyWithForeignText_failureModeDecidesAndTheStoreDecidesOthers(String text) {
        LimitSettings settings = LimitSettings.of("foreign", Limit.tokenBucket(1_000, Duration.ofDays(1)));
        Charge foreign = Charge.of(settings, Key.of("foreign", "text"), 1);
        redis.command("SET", new KeyNames("p1").state(foreign), text);
        try (Guard guard = Guard.builder(RedisEngine.builder(redis.uri()).build())
                .deadline(Duration.ofSeconds(10))
                .build()) {
            onlyItsOwnFails(guard, foreign);
        }
        assertThat(redis.command("GET", new KeyNames("p1").state(foreign))).isEqualTo(text);
    }

    private static void onlyItsOwnFails(Guard guard, Charge foreign) {
        Ask fine = Ask.of(Charge.of(foreign.settings(), Key.of("foreign", "fine"), 1));
        Ask held = Ask.of(foreign).hold(Hold.of(Duration.ofMinutes(1)));
        for (int i = 0; i < 10; i++) {
            List<CompletableFuture<Decision>> together = new ArrayList<>();
            for (int k = 0; k < 10; k++) {
                together.add(guard.decide(fine).whenReady().toCompletableFuture());
                together.add(guard.decide(k % 2 == 0 ? Ask.of(foreign) : held)
                        .whenReady()
                        .toCompletableFuture());
            }
            for (int k = 0; k < together.size(); k++) {
                assertThat(together.get(k).join().decidedBy())
                        .as("%d", k)
                        .isEqualTo(k % 2 == 0 ? DecidedBy.STORE : DecidedBy.FALLBACK);
            }
        }
        assertThat(guard.isInFallback()).isFalse();
    }

    private static long allowedOf(RedisEngine engine, Charge charge, int times) {
        long allowed = 0;
        for (int i = 0; i < times; i++) {
            allowed += decide(engine, Ask.of(charge)).isAllowed() ? 1 : 0;
        }
        return allowed;
    }

    @Test
    void requestId_whosePermitEnded_expires() {
        LimitSettings slots = LimitSettings.of("ids", Limit.concurrency(1, Duration.ofHours(1)));
        try (RedisEngine engine = RedisEngine.builder(redis.uri())
                .rememberFor(Duration.ofSeconds(30))
                .build()) {
            Ask ask = Ask.of(charge(slots)).id(new IdempotencyKey("ended", "mine"));
            Allowed allowed = (Allowed) decide(engine, ask);
            settle(engine, Objects.requireNonNull(allowed.permitHandle()).id());
            assertThat(Long.parseLong(redis.command("PTTL", new KeyNames("p1").request("ended", 0))))
                    .isBetween(1L, 31_000L);
        }
    }

    private static Charge charge(LimitSettings settings) {
        return Charge.of(settings, Key.of("rights", "ann"), 1);
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
