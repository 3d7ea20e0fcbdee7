package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Single decisions while a Cluster changes: exact counts, on real nodes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisClusterFaultsIT {
    private static final Duration FOREVER = Duration.ofDays(300);
    private static final int LIMIT = 3_000;
    private static final KeyNames NAMES = new KeyNames("p1");

    private final ClientResources resources = ClientResources.create();

    @AfterAll
    void end() {
        resources.shutdown().awaitUninterruptibly();
    }

    /**
     * Sends asks of every kind, on one account each, while the account's slot moves around the nodes. Then compares the
     * charges with what is left.
     */
    @Test
    void slotsMovedInFlight_everyAllowedAskIsChargedOnce() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisEngine one = connect(cluster);
                RedisEngine other = connect(cluster)) {
            List<Charge> charges = List.of(
                    charge(LimitSettings.of("simple", Limit.fixedWindow(LIMIT, FOREVER)), "ann"),
                    charge(LimitSettings.of("log", Limit.slidingLog(LIMIT, FOREVER)), "ann"),
                    charge(LimitSettings.of("held", Limit.tokenBucket(LIMIT, FOREVER)), "ann"));
            AtomicBoolean moving = new AtomicBoolean(true);
            CompletableFuture<Integer> moves = CompletableFuture.supplyAsync(() -> move(cluster, charges, moving));
            int[] allowed = new int[charges.size()];
            int[] failed = new int[charges.size()];
            for (int round = 0; round < 200; round++) {
                List<CompletableFuture<Decision>> underway = new ArrayList<>();
                for (int i = 0; i < 5 * charges.size(); i++) {
                    Ask ask = Ask.of(charges.get(i % charges.size()));
                    RedisEngine node = i % 2 == 0 ? one : other;
                    underway.add(node.decide(i % charges.size() == 2 ? ask.hold(Hold.of(Duration.ofHours(1))) : ask)
                            .whenReady()
                            .toCompletableFuture());
                }
                for (int i = 0; i < underway.size(); i++) {
                    int which = i % charges.size();
                    Boolean answer = underway.get(i)
                            .handle((decision, failure) -> failure == null ? decision.isAllowed() : null)
                            .join();
                    allowed[which] += Boolean.TRUE.equals(answer) ? 1 : 0;
                    failed[which] += answer == null ? 1 : 0;
                }
            }
            moving.set(false);
            System.out.printf(
                    "slots moved %d times: %d, %d, %d allowed; %d, %d, %d failed%n",
                    moves.join(), allowed[0], allowed[1], allowed[2], failed[0], failed[1], failed[2]);
            for (int i = 0; i < charges.size(); i++) {
                assertThat(LIMIT - remaining(one, charges.get(i)))
                        .as(charges.get(i).toString())
                        .isEqualTo(allowed[i]);
                assertThat(allowed[i]).isPositive();
            }
        }
    }

    private static int move(RedisCluster cluster, List<Charge> charges, AtomicBoolean moving) {
        int moves = 0;
        while (moving.get() || moves == 0) {
            for (Charge charge : charges) {
                int slot = Slots.of(NAMES.state(charge));
                RedisServer from = cluster.ownerOf(slot);
                int at = cluster.nodes().indexOf(from);
                cluster.move(
                        slot, cluster.nodes().get((at + 1) % cluster.nodes().size()));
                moves++;
            }
        }
        return moves;
    }

    /** Between the first and the last step of a move, the slot's keys are on both nodes. */
    @Test
    void slotHalfMoved_asksWithAllKeysOnOneNodeSucceed_othersFailUncharged() {
        LimitSettings simple = LimitSettings.of("simple", Limit.fixedWindow(10, FOREVER));
        LimitSettings log = LimitSettings.of("log", Limit.slidingLog(10, FOREVER));
        Charge here = charge(simple, "a").colocation("t");
        Charge fresh = charge(simple, "b").colocation("t");
        Charge entries = charge(log, "c").colocation("t");
        int slot = Slots.of(NAMES.state(here));
        try (RedisCluster cluster = RedisCluster.start();
                RedisEngine engine = connect(cluster)) {
            RedisServer from = cluster.ownerOf(slot);
            RedisServer to = cluster.nodes()
                    .get((cluster.nodes().indexOf(from) + 1) % cluster.nodes().size());
            assertThat(decide(engine, Ask.of(here)).isAllowed()).isTrue();
            assertThat(decide(engine, Ask.of(entries)).isAllowed()).isTrue();

            cluster.openMove(slot, from, to);
            assertThat(decide(engine, Ask.of(here)).isAllowed()).isTrue();
            awaitAllowed(engine, fresh); // answered by the other node, to which the client may have to connect first
            assertThat(to.command("CLUSTER", "COUNTKEYSINSLOT", Integer.toString(slot)))
                    .isEqualTo("1");
            assertThatThrownBy(() -> decide(engine, Ask.of(entries))).hasMessageContaining("TRYAGAIN");
            assertThatThrownBy(() -> decide(engine, Ask.of(here, fresh))).hasMessageContaining("TRYAGAIN");

            cluster.moveKeys(slot, from, to);
            cluster.closeMove(slot, to);
            awaitAllowed(engine, entries);
            assertThat(remaining(engine, entries)).isEqualTo(8);
            assertThat(remaining(engine, here)).isEqualTo(8);
            assertThat(decide(engine, Ask.of(here, fresh)).isAllowed()).isTrue();
        }
    }

    @Test
    void nodeKilledBetweenTheTripsOfASpanningAsk_holdIsChargedOnExpiry() {
        try (RedisCluster cluster = RedisCluster.startWithReplicas("--cluster-node-timeout", "500");
                RedisEngine engine = connect(cluster)) {
            LimitSettings settings =
                    LimitSettings.of("spanning", Limit.tokenBucket(10, FOREVER)).replicas(1);
            Charge dies = charge(settings, "a");
            Charge lives = elsewhere(cluster, dies);
            RedisServer doomed = cluster.ownerOf(Slots.of(NAMES.state(dies)));
            SpanningAsk.Store inSlots = engine.inSlots();
            SpanningAsk ask =
                    new SpanningAsk(Ask.of(dies, lives), NAMES, AskRouter.SPANNING_HOLD, new SpanningAsk.Store() {
                        @Override
                        public CompletionStage<StoreAnswer> decide(Ask part) {
                            return inSlots.decide(part);
                        }

                        @Override
                        public void settle(PermitHandle grant) {
                            if (doomed.isAlive()) {
                                doomed.kill();
                            }
                            inSlots.settle(grant);
                        }

                        @Override
                        public void giveBack(PermitHandle grant, Costs nothing) {
                            inSlots.giveBack(grant, nothing);
                        }
                    });
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> ask.decide()
                            .toCompletableFuture()
                            .handle((decision, failure) -> failure == null && decision.isAllowed())
                            .join());
            assertThat(doomed.isAlive()).isFalse();
            assertThat(remaining(engine, lives)).isEqualTo(9);
            awaitAnswer(engine, dies);
            assertThat(remaining(engine, dies))
                    .as("held, or charged when the hold expired")
                    .isEqualTo(9);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() ->
                            engine.inspect(dies).toCompletableFuture().join().permits() == 0);
            assertThat(remaining(engine, dies))
                    .as("charged when the hold expired")
                    .isEqualTo(9);
        }
    }

    @Test
    void decide_inACluster_waitsForReplicas() {
        try (RedisCluster cluster = RedisCluster.startWithReplicas("--cluster-node-timeout", "60000");
                RedisEngine engine = connect(cluster)) {
            LimitSettings settings = LimitSettings.of("safe", Limit.tokenBucket(1_000, FOREVER));
            Charge safe = charge(settings.replicas(1), "ann");
            Charge plain = charge(settings, "ann");
            RedisServer owner = cluster.ownerOf(Slots.of(NAMES.state(safe)));
            RedisServer replica = cluster.replicas().get(cluster.nodes().indexOf(owner));
            awaitAllowed(engine, safe);
            replica.pause();
            CompletableFuture<Decision> waits =
                    engine.decide(Ask.of(safe)).whenReady().toCompletableFuture();
            assertThat(decide(engine, Ask.of(plain)).isAllowed()).isTrue();
            assertThatThrownBy(waits::join)
                    .hasMessageContaining("replicas: 0 acknowledged the charge in time (expected: 1)");
            replica.resume();
            awaitAllowed(engine, safe);
        }
    }

    @Test
    void start_oneNodeDown_usesTheOthers() {
        try (RedisCluster cluster = RedisCluster.start("--cluster-require-full-coverage", "no")) {
            LimitSettings settings = LimitSettings.of("start", Limit.tokenBucket(10, FOREVER));
            Charge dead = charge(settings, "a");
            Charge fine = elsewhere(cluster, dead);
            RedisServer doomed = cluster.ownerOf(Slots.of(NAMES.state(dead)));
            doomed.kill();
            try (RedisEngine engine = connect(cluster)) {
                awaitAllowed(engine, fine);
                assertThat(engine.decide(Ask.of(dead)).whenReady().toCompletableFuture())
                        .failsWithin(Duration.ofSeconds(60));
                doomed.restart();
                awaitAllowed(engine, dead);
            }
        }
    }

    @Test
    void start_allNodesDown_failsInOneLine() {
        RedisCluster cluster = RedisCluster.start();
        cluster.close();
        assertThatThrownBy(() -> connect(cluster))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("redis at ")
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    /** Returns a charge with the same settings whose account is on another node. */
    private static Charge elsewhere(RedisCluster cluster, Charge charge) {
        RedisServer owner = cluster.ownerOf(Slots.of(NAMES.state(charge)));
        for (int i = 0; ; i++) {
            Charge other = charge(charge.settings(), "other" + i);
            if (cluster.ownerOf(Slots.of(NAMES.state(other))) != owner) {
                return other;
            }
        }
    }

    private RedisEngine connect(RedisCluster cluster) {
        StringBuilder uri = new StringBuilder("redis-cluster://");
        for (RedisServer node : cluster.nodes()) {
            uri.append(node == cluster.nodes().get(0) ? "" : ",")
                    .append("127.0.0.1:")
                    .append(node.port());
        }
        return RedisEngine.builder(uri.toString()).resources(resources).build();
    }

    private static Charge charge(LimitSettings settings, String key) {
        return Charge.of(settings, Key.of(settings.policy(), key), 1);
    }

    private static void awaitAllowed(RedisEngine engine, Charge charge) {
        await(engine, Ask.of(charge));
    }

    private static void awaitAnswer(RedisEngine engine, Charge charge) {
        await(engine, Ask.of(charge).peek());
    }

    private static void await(RedisEngine engine, Ask ask) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> engine.decide(ask)
                        .whenReady()
                        .toCompletableFuture()
                        .handle((decision, failure) -> failure == null && decision.isAllowed())
                        .join());
    }

    private static long remaining(RedisEngine engine, Charge charge) {
        return decide(engine, Ask.of(charge).peek()).limits().get(0).remaining();
    }

    private static Decision decide(RedisEngine engine, Ask ask) {
        return engine.decide(ask).whenReady().toCompletableFuture().join();
    }
}
