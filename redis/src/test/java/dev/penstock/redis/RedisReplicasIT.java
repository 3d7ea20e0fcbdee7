package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.FailureMode;
import dev.penstock.Limit;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.engine.Guard;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PolicySet;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Policies whose requests are allowed only after a replica has the charge, on a real primary and its replica. */
class RedisReplicasIT {
    private static final Duration DAY = Duration.ofDays(1);
    private static final LimitSettings BUCKET =
            LimitSettings.of("safe", Limit.tokenBucket(1_000, DAY)).replicas(1);

    private final RedisServer primary = RedisServer.start("--repl-diskless-sync-delay", "0");
    private final RedisServer replica = RedisServer.start();
    private final RedisEngine engine = RedisEngine.builder(primary.uri()).build();

    @BeforeEach
    void replicate() {
        replica.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
        awaitAllowed(charge(BUCKET, "first"));
    }

    @AfterEach
    void stop() {
        engine.close();
        replica.close();
        primary.close();
    }

    @Test
    void decide_allowed_theReplicaHasIt() {
        for (int i = 0; i < 50; i++) {
            Charge charge = charge(BUCKET, "user" + i);
            assertThat(decide(engine, Ask.of(charge)).isAllowed()).isTrue();
            assertThat(replica.command("EXISTS", new KeyNames("p1").state(charge)))
                    .isEqualTo("1");
        }
    }

    @Test
    void decide_manyAtOnce_exactlyTheLimit() {
        LimitSettings few = LimitSettings.of("few", Limit.slidingLog(100, DAY)).replicas(1);
        List<CompletableFuture<Decision>> underway = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            underway.add(engine.decide(Ask.of(charge(few, "ann")).orTimeout(Duration.ofMinutes(1)))
                    .whenReady()
                    .toCompletableFuture());
        }
        assertThat(underway.stream().filter(each -> each.join().isAllowed())).hasSize(100);
    }

    @Test
    void decide_afterScriptFlush_theReplicaHasIt() {
        primary.command("SCRIPT", "FLUSH");
        Charge charge = charge(BUCKET, "flushed");
        assertThat(decide(engine, Ask.of(charge)).isAllowed()).isTrue();
        assertThat(replica.command("EXISTS", new KeyNames("p1").state(charge))).isEqualTo("1");
    }

    @Test
    void decide_replicaStopped_failsAndOthersSucceed() {
        LimitSettings plain = LimitSettings.of("plain", Limit.tokenBucket(10, DAY));
        LimitSettings none = LimitSettings.of("none", Limit.fixedWindow(1, DAY)).replicas(1);
        assertThat(decide(engine, Ask.of(charge(none, "ann"))).isAllowed()).isTrue();
        replica.pause();
        Ask patient =
                Ask.of(charge(BUCKET, "patient")).forRequest(Request.empty().timeout(Duration.ofMinutes(1)));
        CompletableFuture<Decision> waits = engine.decide(patient).whenReady().toCompletableFuture();
        assertThat(decide(engine, Ask.of(charge(plain, "ann"))).isAllowed()).isTrue();
        assertThat(waits).as("WAIT delays nobody else").isNotDone();
        assertThatThrownBy(waits::join)
                .hasMessageContaining("replicas: 0 acknowledged the charge in time (expected: 1)");

        assertThat(decide(engine, Ask.of(charge(none, "ann"))).isAllowed())
                .as("a denial has nothing to lose")
                .isFalse();
        assertThat(decide(engine, Ask.of(charge(BUCKET, "ann")).peek()).isAllowed())
                .isTrue();
        replica.resume();
        awaitAllowed(charge(BUCKET, "again"));
    }

    @Test
    void decide_replicaStopped_permitIsGivenBack() {
        LimitSettings slot = LimitSettings.of("slot", Limit.concurrency(1, Duration.ofHours(1)))
                .replicas(1);
        replica.pause();
        assertThatThrownBy(() -> decide(engine, Ask.of(charge(slot, "ann")))).hasMessageContaining("replicas: 0");
        replica.resume();
        awaitAllowed(charge(slot, "ann"));
    }

    @Test
    void decide_retryUnderAnIdWhileTheReplicaIsStopped_keepsTheFirstCallsSlot() {
        LimitSettings slot = LimitSettings.of("slot", Limit.concurrency(1, Duration.ofHours(1)))
                .replicas(1);
        Ask call = Ask.of(charge(slot, "ann")).id("call-1");
        Decision first = decide(engine, call);
        replica.pause();
        assertThatThrownBy(() -> decide(engine, call)).hasMessageContaining("replicas: 0");
        replica.resume();
        assertThat(decide(engine, Ask.of(charge(slot, "ann"))).isAllowed()).isFalse();
        awaitAllowed(charge(BUCKET, "again"));
        assertThat(((Allowed) decide(engine, call)).permitHandle()).isEqualTo(((Allowed) first).permitHandle());
    }

    @Test
    void policy_replicaStopped_failureModeAnswers() {
        PolicySet policies = Policy.setOf(Policy.named("login")
                .limit(Limit.tokenBucket(10, DAY), "user")
                .replicas(1)
                .onStoreFailure(FailureMode.CLOSED));
        Ask ask = policies.match(Request.of("user", "ann"));
        assertThat(ask.replicas()).isEqualTo(1);
        try (Guard guard = Guard.builder(RedisEngine.builder(primary.uri()).build())
                .deadline(Duration.ofSeconds(10))
                .build()) {
            assertThat(decide(guard, ask).decidedBy()).isEqualTo(DecidedBy.STORE);
            replica.pause();
            Decision decision = decide(guard, ask);
            assertThat(decision.decidedBy()).isEqualTo(DecidedBy.FALLBACK);
            assertThat(decision.isAllowed()).isFalse();
        }
    }

    @Test
    void decide_primaryReplaced_answerOfTheOldPrimaryDoesNotCount() {
        replica.pause();
        Ask patient =
                Ask.of(charge(BUCKET, "patient")).forRequest(Request.empty().timeout(Duration.ofMinutes(1)));
        CompletableFuture<Decision> waits = engine.decide(patient).whenReady().toCompletableFuture();
        awaitKey(charge(BUCKET, "patient"));
        primary.restart();
        assertThatThrownBy(waits::join).isNotNull();
    }

    @Test
    void replicas_wrongNumber_isRejected() {
        assertThatThrownBy(() -> BUCKET.replicas(-1)).hasMessage("replicas: -1 (expected: >= 0)");
        assertThatThrownBy(() -> Policy.named("p").replicas(101)).hasMessage("replicas: 101 (expected: <= 100)");
    }

    private void awaitKey(Charge charge) {
        String key = new KeyNames("p1").state(charge);
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> primary.command("EXISTS", key).equals("1"));
    }

    private void awaitAllowed(Charge charge) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> engine.decide(Ask.of(charge))
                        .whenReady()
                        .toCompletableFuture()
                        .handle((decision, failure) -> failure == null && decision.isAllowed())
                        .join());
    }

    private static Charge charge(LimitSettings settings, String key) {
        return Charge.of(settings, Key.of(settings.policy(), key), 1);
    }

    private static Decision decide(Engine engine, Ask ask) {
        return engine.decide(ask).whenReady().toCompletableFuture().join();
    }
}
