package dev.penstock.server.internal.steer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.PolicySet;
import dev.penstock.Request;
import dev.penstock.Retry;
import dev.penstock.Ruling;
import dev.penstock.Timer;
import dev.penstock.internal.Expect;
import dev.penstock.redis.RedisEngine;
import dev.penstock.spi.Board;
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

/** What is changed by hand, on a real Redis. */
class SteeringTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final PolicySet POLICIES =
            PolicySet.of(Policy.named("users").limit(Limit.tokenBucket(2, Duration.ofDays(1)), "user"));

    private static RedisServer redis;

    private final RedisEngine node = RedisEngine.at(redis.uri()).build();
    private final Board board = Expect.present(node.fleet().board("tests"), "board");
    private final Steering steering = new Steering(board, Clock.system(), Timer.system());
    private final Limiter limiter =
            Limiter.builder(steering.steered(POLICIES)).engine(node).build();

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
    }

    @AfterEach
    void empty() {
        steering.close();
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
        done(steering.block("users", key("ann"), HOUR, "an operator"));

        Decision decision = limiter.decide(Request.of("user", "ann"));

        assertThat(decision).isInstanceOf(Denied.class);
        assertThat(((Denied) decision).reason()).isEqualTo(Denied.Reason.BLOCKED);
        assertThat(Expect.present(decision.ruling(), "ruling").by()).isEqualTo(Ruling.BLOCK);
        Retry retry = ((Denied) decision).retry();
        assertThat(retry.waitFor()).isBetween(HOUR.minusMinutes(1), HOUR);
        assertThat(passes("bob")).isTrue();
        assertThat(steering.blocks())
                .singleElement()
                .matches(block -> block.key().equals(key("ann"))
                        && block.policy().equals("users")
                        && block.by().equals("an operator"));

        done(steering.unblock(key("ann")));
        assertThat(passes("ann")).isTrue();
        assertThat(passes("ann")).isTrue();
        assertThat(passes("ann")).isFalse();
    }

    @Test
    void change_reachesOtherNodes_alsoNewOnes() {
        try (RedisEngine engine = RedisEngine.at(redis.uri()).build();
                Steering other = new Steering(
                                Expect.present(engine.fleet().board("tests"), "board"), Clock.system(), Timer.system())
                        .start()) {
            done(steering.block("users", key("ann"), HOUR, ""));
            done(steering.shadow(HOUR, ""));

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> other.blocks().size() == 1 && other.shadowUntil() != null);
            done(steering.unblock(key("ann")));
            done(steering.endShadow());
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> !other.isInForce());
        }
    }

    @Test
    void shadow_deniesNothing_andObserves() {
        done(steering.block("users", key("bob"), HOUR, ""));
        done(steering.shadow(HOUR, "an operator"));
        for (int i = 0; i < 4; i++) {
            Decision decision = limiter.decide(Request.of("user", "ann"));
            assertThat(decision.isAllowed()).isTrue();
            assertThat(decision.observedDenials()).hasSize(i < 2 ? 0 : 1).allMatch(LimitStatus::isExceeded);
        }
        assertThat(passes("bob")).isTrue();

        done(steering.endShadow());
        assertThat(passes("ann")).as("what was used meanwhile counts").isFalse();
        assertThat(passes("bob")).isFalse();
    }

    @Test
    void shadow_letsAListsDenialPass() {
        PolicySet listed = request -> Ask.ruled(new Ruling(Ruling.Verdict.DENY, "bad networks", null));
        try (Limiter other = Limiter.builder(steering.steered(listed)).build()) {
            assertThat(other.decide(Request.empty()).isAllowed()).isFalse();
            done(steering.shadow(HOUR, ""));
            assertThat(other.decide(Request.empty()).isAllowed()).isTrue();
        }
    }

    @Test
    void whatIsOver_endsByItself_alsoWhileTheStoreIsAway() {
        ManualClock clock = new ManualClock();
        try (FaultProxy way = FaultProxy.to(redis.port());
                RedisEngine engine =
                        RedisEngine.at("redis://127.0.0.1:" + way.port()).build();
                Steering steered = new Steering(
                        Expect.present(engine.fleet().board("tests"), "board"), clock, (delay, task) -> {})) {
            done(steered.block("users", key("ann"), HOUR, ""));
            done(steered.shadow(Duration.ofMinutes(1), ""));
            way.cut();
            List<Charge> charges = POLICIES.match(Request.of("user", "ann")).charges();

            assertThat(steered.block(charges)).isNotNull();
            clock.advance(Duration.ofMinutes(1));
            assertThat(steered.shadowUntil()).isNull();
            clock.advance(HOUR);
            assertThat(steered.block(charges)).isNull();
            assertThat(steered.blocks()).isEmpty();
        }
    }

    @Test
    void noteThatCannotBeRead_isLeftAlone() {
        done(board.post(new Board.Note("block:1", "not JSON", HOUR)));
        done(board.post(new Board.Note("block:2", "{\"policy\":\"a\",\"counter\":\"b\",\"key\":\"%\"}", HOUR)));
        done(board.post(new Board.Note("something else", "{}", HOUR)));
        done(steering.block("users", key("ann"), HOUR, ""));

        assertThat(steering.blocks()).hasSize(1);
    }
}
