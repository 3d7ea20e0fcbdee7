package dev.penstock.server.internal.override;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.Retry;
import dev.penstock.internal.Expect;
import dev.penstock.redis.RedisEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.PolicySet;
import dev.penstock.spi.Scheduler;
import dev.penstock.spi.SharedNotes;
import dev.penstock.spi.StaticDecision;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.FaultProxy;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Overrides by operators, on a real Redis. */
class OperatorOverridesIT {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final PolicySet POLICIES =
            Policy.setOf(Policy.named("users").limit(Limit.tokenBucket(2, Duration.ofDays(1)), "user"));

    private static RedisServer redis;

    private final RedisEngine node = RedisEngine.builder(redis.uri()).build();
    private final SharedNotes board = Expect.present(node.fleet().notes("tests"), "board");
    private final OperatorOverrides overrides = new OperatorOverrides(board, Clock.system(), Scheduler.system());
    private final Limiter limiter =
            Limiter.builder(overrides.overridden(POLICIES)).engine(node).build();

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterEach
    void empty() {
        overrides.close();
        limiter.close();
        redis.command("FLUSHALL");
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    private static void done(CompletionStage<?> stage) {
        stage.toCompletableFuture().join();
    }

    private static Key key(String user) {
        return POLICIES.match(Request.of("user", user)).charge(0).key();
    }

    private boolean passes(String user) {
        return limiter.decide(Request.of("user", user)).isAllowed();
    }

    @Test
    void blockedKey_isDenied_withTheEndOfItsBlock_andNothingIsCharged() {
        done(overrides.block("users", key("ann"), HOUR, "an operator"));

        Decision decision = limiter.decide(Request.of("user", "ann"));

        assertThat(decision).isInstanceOf(Denied.class);
        assertThat(((Denied) decision).reason()).isEqualTo(Denied.Reason.BLOCKED);
        assertThat(Expect.present(decision.staticDecision(), "ruling").by()).isEqualTo(StaticDecision.BLOCK);
        Retry retry = ((Denied) decision).retry();
        assertThat(retry.waitFor()).isBetween(HOUR.minusMinutes(1), HOUR);
        assertThat(passes("bob")).isTrue();
        assertThat(overrides.blocks())
                .singleElement()
                .matches(block -> block.key().equals(key("ann"))
                        && block.policy().equals("users")
                        && block.by().equals("an operator"));

        done(overrides.unblock(key("ann")));
        assertThat(passes("ann")).isTrue();
        assertThat(passes("ann")).isTrue();
        assertThat(passes("ann")).isFalse();
    }

    @Test
    void change_reachesOtherNodes_includingNewOnes() {
        try (RedisEngine engine = RedisEngine.builder(redis.uri()).build();
                OperatorOverrides other = new OperatorOverrides(
                                Expect.present(engine.fleet().notes("tests"), "board"),
                                Clock.system(),
                                Scheduler.system())
                        .start()) {
            done(overrides.block("users", key("ann"), HOUR, ""));
            done(overrides.shadow(HOUR, ""));

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> other.blocks().size() == 1 && other.shadowUntil() != null);
            done(overrides.unblock(key("ann")));
            done(overrides.endShadow());
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !other.isInForce());
        }
    }

    @Test
    void shadow_deniesNothing_andStillCounts() {
        done(overrides.block("users", key("bob"), HOUR, ""));
        done(overrides.shadow(HOUR, "an operator"));
        for (int i = 0; i < 4; i++) {
            Decision decision = limiter.decide(Request.of("user", "ann"));
            assertThat(decision.isAllowed()).isTrue();
            assertThat(decision.shadowDenials()).hasSize(i < 2 ? 0 : 1).allMatch(LimitStatus::isExceeded);
        }
        assertThat(passes("bob")).isTrue();

        done(overrides.endShadow());
        assertThat(passes("ann")).as("permits used in shadow mode count").isFalse();
        assertThat(passes("bob")).isFalse();
    }

    @Test
    void shadow_overridesADenyList() {
        PolicySet listed = request -> Ask.of(new StaticDecision(StaticDecision.Verdict.DENY, "bad networks", null));
        try (Limiter other = Limiter.builder(overrides.overridden(listed)).build()) {
            assertThat(other.decide(Request.empty()).isAllowed()).isFalse();
            done(overrides.shadow(HOUR, ""));
            assertThat(other.decide(Request.empty()).isAllowed()).isTrue();
        }
    }

    @Test
    void expiredOverride_endsAutomatically_evenWithoutTheStore() {
        ManualClock clock = new ManualClock();
        try (FaultProxy way = FaultProxy.to(redis.port());
                RedisEngine engine =
                        RedisEngine.builder("redis://127.0.0.1:" + way.port()).build();
                OperatorOverrides overridden = new OperatorOverrides(
                        Expect.present(engine.fleet().notes("tests"), "board"), clock, (delay, task) -> {})) {
            done(overridden.block("users", key("ann"), HOUR, ""));
            done(overridden.shadow(Duration.ofMinutes(1), ""));
            way.cut();
            List<Charge> charges = POLICIES.match(Request.of("user", "ann")).charges();

            assertThat(overridden.block(charges)).isNotNull();
            clock.advance(Duration.ofMinutes(1));
            assertThat(overridden.shadowUntil()).isNull();
            clock.advance(HOUR);
            assertThat(overridden.block(charges)).isNull();
            assertThat(overridden.blocks()).isEmpty();
        }
    }

    @Test
    void unreadableNote_isIgnored() {
        done(board.post(new SharedNotes.Note("block:1", "not JSON", HOUR)));
        done(board.post(new SharedNotes.Note("block:2", "{\"policy\":\"a\",\"counter\":\"b\",\"key\":\"%\"}", HOUR)));
        done(board.post(new SharedNotes.Note("something else", "{}", HOUR)));
        done(overrides.block("users", key("ann"), HOUR, ""));

        assertThat(overrides.blocks()).hasSize(1);
    }
}
