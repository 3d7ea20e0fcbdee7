package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A request with an id that spans a live shard and one that does not answer. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisSpanningIdFaultsIT {
    private static final Duration BRIEFLY = Duration.ofMillis(200);
    private static final Duration PATIENTLY = Duration.ofMinutes(1);
    private static final KeyNames NAMES = new KeyNames("p1");
    private static final LimitSettings TERMS =
            LimitSettings.of("spanning", Limit.tokenBucket(10, Duration.ofDays(300)));

    private final RedisCluster cluster =
            RedisCluster.start("--cluster-node-timeout", "60000", "--cluster-require-full-coverage", "no");
    private final RedisServer doomed = cluster.nodes().get(2);
    private final RedisEngine engine = RedisEngine.builder(cluster.nodes().stream()
                    .map(node -> "127.0.0.1:" + node.port())
                    .collect(Collectors.joining(",", "redis-cluster://", "")))
            .build();

    @AfterAll
    void stop() {
        engine.close();
        cluster.close();
    }

    private Charge chargeOn(RedisServer server, String name) {
        for (int i = 0; ; i++) {
            Charge charge = Charge.of(TERMS, Key.of("spanning", name + i), 1);
            if (cluster.ownerOf(Slots.of(NAMES.state(charge))) == server) {
                return charge;
            }
        }
    }

    /**
     * Returns an id that is claimed on this server. A claim on the server that stops would fail before anything is
     * held.
     */
    private String claimedOn(RedisServer server) {
        for (int i = 0; ; i++) {
            if (cluster.ownerOf(Slots.of(NAMES.claim("request " + i))) == server) {
                return "request " + i;
            }
        }
    }

    private CompletableFuture<Decision> send(Ask ask, Duration timeout) {
        return engine.decide(ask.orTimeout(timeout)).whenReady().toCompletableFuture();
    }

    private void assertFailsWhileStopped(Ask ask, Runnable meanwhile) {
        doomed.pause();
        try {
            assertThat(send(ask, BRIEFLY)).failsWithin(Duration.ofSeconds(20));
            meanwhile.run();
        } finally {
            doomed.resume();
        }
    }

    private Decision awaitAllowed(Ask ask) {
        return Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(
                        () -> send(ask, PATIENTLY)
                                .exceptionally(failure -> null)
                                .join(),
                        decision -> decision != null && decision.isAllowed());
    }

    private long remaining(Charge charge) {
        return send(Ask.of(charge).peek(), PATIENTLY).join().limits().get(0).remaining();
    }

    private void awaitRemaining(Charge charge, long expected) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(remaining(charge)).isEqualTo(expected));
    }

    @Test
    void shardStops_liveShardIsNotCharged_andARetryIsDecidedAgain() {
        Charge dead = chargeOn(doomed, "first");
        Charge live = chargeOn(cluster.nodes().get(0), "first");
        Ask ask = Ask.of(dead, live)
                .id(new IdempotencyKey(claimedOn(cluster.nodes().get(0)), "body"));

        assertFailsWhileStopped(ask, () -> awaitRemaining(live, 10));

        awaitAllowed(ask);
        awaitAllowed(ask);
        awaitRemaining(live, 9);
        awaitRemaining(dead, 9);
    }

    @Test
    void shardStopsBeforeARetry_allowedCostStaysCharged() {
        Charge dead = chargeOn(doomed, "retry");
        Charge live = chargeOn(cluster.nodes().get(0), "retry");
        Ask ask = Ask.of(dead, live).id("retry");
        awaitAllowed(ask);

        assertFailsWhileStopped(ask, () -> assertStays(live, 9));

        awaitAllowed(ask);
        assertThat(remaining(live)).isEqualTo(9);
        assertThat(remaining(dead)).isEqualTo(9);
    }

    @Test
    void shardStopsBeforeARetry_permitKeepsItsHolds() {
        Charge dead = chargeOn(doomed, "held");
        Charge live = chargeOn(cluster.nodes().get(0), "held");
        Ask ask = Ask.of(dead, live).id("held").hold(Hold.of(Duration.ofHours(1)));
        Allowed first = (Allowed) awaitAllowed(ask);

        assertFailsWhileStopped(ask, () -> assertStays(live, 9));

        Allowed again = (Allowed) awaitAllowed(ask);
        assertThat(Objects.requireNonNull(again.permitHandle()).id())
                .isEqualTo(Objects.requireNonNull(first.permitHandle()).id());
        assertThat(remaining(live)).isEqualTo(9);
    }

    /**
     * Checks that the charge stays. A give back would happen within the first round trips after the failure, so it
     * would be visible after some peeks.
     */
    private void assertStays(Charge charge, long expected) {
        for (int i = 0; i < 50; i++) {
            assertThat(remaining(charge)).isEqualTo(expected);
        }
    }
}
