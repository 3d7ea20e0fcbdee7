package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.FailureMode;
import dev.penstock.Limit;
import dev.penstock.engine.Guard;
import dev.penstock.engine.StoreOutageEvent;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.ReplicasMissing;
import dev.penstock.spi.TripListener;
import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Missing, late or unreachable replicas fail only the policies that wait for them. */
class RedisReplicaFailuresIT {
    private static final Duration DAY = Duration.ofDays(1);
    private static final KeyNames NAMES = new KeyNames("p1");
    private static final LimitSettings SAFE = LimitSettings.of("safe", Limit.tokenBucket(1_000_000, DAY))
            .replicas(1)
            .onStoreFailure(FailureMode.CLOSED);
    private static final LimitSettings PLAIN =
            LimitSettings.of("plain", Limit.tokenBucket(1_000_000, DAY)).onStoreFailure(FailureMode.CLOSED);
    private static final int ROUNDS = 60;
    private static final int PLAIN_A_ROUND = 19;

    private final Failures failures = new Failures();
    private final List<StoreOutageEvent> events = new CopyOnWriteArrayList<>();

    /** The failures that the engine reports. */
    private static final class Failures implements TripListener {
        private final Map<Kind, Integer> counts = new ConcurrentHashMap<>();

        @Override
        public void onTrip(String shard, long micros) {}

        @Override
        public void onFailure(Kind kind) {
            counts.merge(kind, 1, Integer::sum);
        }

        @Override
        public void onBatch(int asks) {}
    }

    @Test
    void decide_noReplica_failsThatAskWithTheReason() {
        try (RedisServer primary = RedisServer.start();
                RedisEngine engine = engine(primary.uri())) {
            assertThatThrownBy(() -> decide(engine, ask(SAFE, "ann")))
                    .hasRootCauseInstanceOf(ReplicasMissing.class)
                    .hasMessageContaining("replicas: 0 acknowledged the charge in time (expected: 1)");
            assertThat(failures.counts).isEqualTo(Map.of(TripListener.Kind.REPLICAS, 1));
        }
    }

    @Test
    void replicas_areThoseInSync() {
        try (RedisServer primary = RedisServer.start("--repl-diskless-sync-delay", "0");
                RedisServer replica = RedisServer.start();
                RedisEngine engine = engine(primary.uri())) {
            assertThat(engine.replicas().toCompletableFuture().join().values()).containsExactly(0);
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> engine.replicas().toCompletableFuture().join().containsValue(1));
        }
    }

    @Test
    void guard_noReplica_otherPoliciesAreDecidedByTheStore() {
        try (RedisServer primary = RedisServer.start();
                LogLines log = LogLines.of(Guard.class);
                Guard guard = guard(engine(primary.uri()))) {
            for (int i = 0; i < 12; i++) {
                assertThat(decide(guard, ask(SAFE, "ann")).decidedBy()).isEqualTo(DecidedBy.FALLBACK);
            }
            assertThat(decide(guard, ask(PLAIN, "ann")).decidedBy()).isEqualTo(DecidedBy.STORE);
            assertThat(events).isEmpty();
            assertThat(log.with("replicas: 0 acknowledged the charge in time (expected: 1)"))
                    .hasSize(1);
        }
    }

    @Test
    void guard_replicaStopped_nineteenOfTwentyOthersAreDecidedByTheStore() {
        try (RedisServer primary = RedisServer.start("--repl-diskless-sync-delay", "0");
                RedisServer replica = RedisServer.start();
                Guard guard = guard(engine(primary.uri()))) {
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
            awaitStore(guard, ask(SAFE, "first"));
            replica.pause();
            assertOthersGoOn(guard);
            replica.resume();
            awaitStore(guard, ask(SAFE, "again"));
        }
    }

    /**
     * Sends rounds of one ask that waits for replicas and many that do not. The next round starts when all are
     * answered.
     */
    private void assertOthersGoOn(Guard guard) {
        int safeByStore = 0;
        for (int round = 0; round < ROUNDS; round++) {
            CompletableFuture<Decision> safe = later(guard, ask(SAFE, "user" + round));
            List<CompletableFuture<Decision>> others = new ArrayList<>();
            for (int i = 0; i < PLAIN_A_ROUND; i++) {
                others.add(later(guard, ask(PLAIN, "user" + i)));
            }
            assertThat(others)
                    .allSatisfy(each -> assertThat(each.join().decidedBy()).isEqualTo(DecidedBy.STORE));
            safeByStore += safe.join().decidedBy() == DecidedBy.STORE ? 1 : 0;
        }
        assertThat(safeByStore).isZero();
        assertThat(events).isEmpty();
    }

    @Test
    void guard_patientCallersBlockTheConnection_failureModeDecidesWithoutOverload() {
        try (RedisServer primary = RedisServer.start();
                Guard guard = guard(engine(primary.uri()))) {
            List<CompletableFuture<Decision>> all = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                all.add(later(guard, ask(SAFE, "patient" + i).orTimeout(Duration.ofSeconds(1))));
            }
            for (int i = 0; i < 20; i++) {
                all.add(later(guard, ask(SAFE, "user" + i)));
            }
            assertThat(all)
                    .allSatisfy(each -> assertThat(each.join().decidedBy()).isEqualTo(DecidedBy.FALLBACK));
            assertThat(events).isEmpty();
        }
    }

    @Test
    void guard_waitNotPermitted_countsAsRefusedAndTheLogSaysWhy() {
        try (RedisServer primary = RedisServer.start()) {
            primary.command("ACL", "SETUSER", "limiter", "on", ">secret", "~*", "+@all", "-wait");
            try (LogLines log = LogLines.of(Guard.class);
                    Guard guard = guard(engine("redis://limiter:secret@127.0.0.1:" + primary.port()))) {
                for (int i = 0; i < 12; i++) {
                    assertThat(decide(guard, ask(SAFE, "ann")).decidedBy()).isEqualTo(DecidedBy.FALLBACK);
                }
                assertThat(failures.counts).containsEntry(TripListener.Kind.REFUSED, 12);
                assertThat(log.with("'wait' command")).hasSize(1);
                assertThat(decide(guard, ask(PLAIN, "ann")).decidedBy()).isEqualTo(DecidedBy.STORE);
                assertThat(events).isEmpty();
            }
        }
    }

    @Test
    void guard_slotMoved_isDecidedByItsNewNode() {
        try (RedisCluster cluster = RedisCluster.startWithReplicas("--cluster-node-timeout", "60000");
                Guard guard = guard(engine(uri(cluster)))) {
            Ask safe = ask(SAFE, "ann");
            int slot = Slots.of(NAMES.state(safe.charge(0)));
            awaitStore(guard, safe);
            RedisServer from = cluster.ownerOf(slot);
            RedisServer to = cluster.nodes()
                    .get((cluster.nodes().indexOf(from) + 1) % cluster.nodes().size());
            awaitStore(guard, askOn(cluster, to)); // to make sure that its replicas answer
            cluster.move(slot, to);
            for (int i = 0; i < 20; i++) {
                assertThat(decide(guard, safe).decidedBy()).as("ask %s", i).isEqualTo(DecidedBy.STORE);
                assertThat(decide(guard, ask(PLAIN, "user" + i)).decidedBy()).isEqualTo(DecidedBy.STORE);
            }
            assertThat(events).isEmpty();
            assertThat(failures.counts).doesNotContainKey(TripListener.Kind.REFUSED);
        }
    }

    private static Ask askOn(RedisCluster cluster, RedisServer server) {
        for (int i = 0; ; i++) {
            Ask other = ask(SAFE, "other" + i);
            if (cluster.ownerOf(Slots.of(NAMES.state(other.charge(0)))) == server) {
                return other;
            }
        }
    }

    private RedisEngine engine(String uri) {
        return RedisEngine.builder(uri).listener(failures).build();
    }

    private Guard guard(RedisEngine engine) {
        return Guard.builder(engine).listener(events::add).build();
    }

    private static String uri(RedisCluster cluster) {
        return cluster.nodes().stream()
                .map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(",", "redis-cluster://", ""));
    }

    private static void awaitStore(Engine engine, Ask ask) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> decide(engine, ask).decidedBy() == DecidedBy.STORE);
    }

    private static Ask ask(LimitSettings settings, String key) {
        return Ask.of(Charge.of(settings, Key.of(settings.policy(), key), 1));
    }

    private static CompletableFuture<Decision> later(Engine engine, Ask ask) {
        return engine.decide(ask).whenReady().toCompletableFuture();
    }

    private static Decision decide(Engine engine, Ask ask) {
        return later(engine, ask).join();
    }
}
