package dev.penstock.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Turn;
import dev.penstock.bench.load.LoadRate;
import dev.penstock.testkit.server.RedisCluster;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs very short turns and single decisions with a real Cluster. */
class ProbeClusterIT {
    private static final RedisCluster CLUSTER = RedisCluster.start();
    private static final Nodes NODES = Nodes.of(CLUSTER.nodes());
    private static final int USERS = 300;

    @AfterAll
    static void stop() {
        CLUSTER.close();
    }

    @BeforeEach
    void empty() {
        CLUSTER.nodes().forEach(node -> node.command("FLUSHALL"));
    }

    @ParameterizedTest
    @ValueSource(strings = {Deciders.PENSTOCK_COLOCATED, Deciders.PENSTOCK_SPANNING})
    void stackedLimits_theScarcestDecides(String contender) {
        LoadRate slow = new LoadRate(2, Duration.ofDays(1));
        List<BenchAccount> accounts = List.of(
                new BenchAccount("user", slow, "user-", 7, 10, 1),
                new BenchAccount("tenant", slow, "tenant-", 4, 5, 1));
        try (Decider decider = Deciders.open(contender, NODES.uri(), accounts)) {
            List<Boolean> answers = IntStream.rangeClosed(1, 3)
                    .mapToObj(user -> decider.decide(List.of("user-000000" + user, "tenant-0001"))
                            .toCompletableFuture()
                            .join())
                    .toList();

            assertThat(answers).containsExactly(true, true, false);
        }
    }

    @Test
    void measure_colocated_takesOneScriptInOneSlot() {
        Turn turn = measure(Deciders.PENSTOCK_COLOCATED);

        assertThat(turn.overAStore().errors()).isZero();
        assertThat(turn.allowedShare()).isEqualTo(1);
        assertThat(turn.overAStore().scriptsPerOp()).isBetween(0.5, 1.5);
    }

    @Test
    void measure_spanning_holdsInTwoSlotsAndConfirms() {
        Turn turn = measure(Deciders.PENSTOCK_SPANNING);

        assertThat(turn.overAStore().errors()).isZero();
        assertThat(turn.allowedShare()).isEqualTo(1);
        assertThat(turn.overAStore().scriptsPerOp()).isBetween(2.5, 5.0);
        assertThat(turn.overAStore().latency().p50Micros()).isPositive();
    }

    private static Turn measure(String contender) {
        List<BenchAccount> accounts = List.of(
                new BenchAccount("user", LoadRate.MILLIONTH, "user-", 7, USERS, 1),
                new BenchAccount("tenant", LoadRate.TENANT, "tenant-", 4, 10, 1));
        Scenario scenario = new Scenario(
                "tiny", Scenario.Arrival.MANY_IN_FLIGHT, accounts, USERS, Scenario.Skew.NONE, Scenario.Store.CLUSTER);
        return new Probe(scenario, NODES, Duration.ofMillis(150)).measure(contender, new Settings.Length(1, 2));
    }
}
