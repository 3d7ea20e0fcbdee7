package dev.penstock.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Request;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Callers' view of a Cluster that loses a node or moves slots, like {@link RedisFaultsIT} for one server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisClusterFaultsUnderLoadIT {
    private static final Duration BETWEEN_MOVES = Duration.ofMillis(50);
    private static final Request ANN = Request.of("user", "ann");

    private final ClientResources resources = ClientResources.create();

    @AfterAll
    void end() {
        resources.shutdown().awaitUninterruptibly();
    }

    @Test
    void primaryKilled_itsReplicaTakesOver() {
        try (RedisCluster cluster = RedisCluster.startWithReplicas("--cluster-node-timeout", "1000")) {
            List<GuardedNode> nodes = nodes(cluster);
            new FaultRun("cluster primary killed", nodes, nodes.size(), ANN)
                    .losingState()
                    .survives(() -> homeOf(cluster, "ann").kill(), () -> {});
            nodes.forEach(GuardedNode::close);
        }
    }

    @Test
    void primaryKilled_noReplica_othersContinue() {
        try (RedisCluster cluster =
                RedisCluster.start("--cluster-node-timeout", "1000", "--cluster-require-full-coverage", "no")) {
            List<GuardedNode> nodes = nodes(cluster);
            List<GuardedNode> others = nodes(cluster);
            String other = userElsewhere(cluster, others.get(0));
            long[] atStrike = new long[1];
            others.forEach(node -> node.ask(Request.of("user", other)));
            RedisServer[] killed = new RedisServer[1];
            new FaultRun("cluster node killed", nodes, nodes.size(), ANN)
                    .losingState()
                    .survives(
                            () -> {
                                killed[0] = homeOf(cluster, "ann");
                                atStrike[0] = byStore(others);
                                killed[0].kill();
                            },
                            () -> {
                                assertThat(byStore(others))
                                        .as("callers of other slots continue")
                                        .isGreaterThan(atStrike[0] + 100);
                                killed[0].restart();
                            });
            for (GuardedNode node : others) {
                assertThat(FaultRun.stopped(node))
                        .as("every caller is answered")
                        .isTrue();
                assertThat(node.thrown()).isNull();
            }
            nodes.forEach(GuardedNode::close);
            others.forEach(GuardedNode::close);
        }
    }

    @Test
    void slotsMovedInFlight() {
        try (RedisCluster cluster = RedisCluster.start()) {
            List<GuardedNode> nodes = nodes(cluster);
            AtomicBoolean moving = new AtomicBoolean(true);
            List<CompletableFuture<Void>> mover = new ArrayList<>();
            new FaultRun("cluster slot moved", nodes, 0, ANN)
                    .survives(() -> mover.add(CompletableFuture.runAsync(() -> goRound(cluster, moving))), () -> {
                        moving.set(false);
                        mover.get(0).join();
                    });
            nodes.forEach(GuardedNode::close);
        }
    }

    /** Moves the user's slot from node to node. */
    private static void goRound(RedisCluster cluster, AtomicBoolean moving) {
        int slot = cluster.slotOf(keyOf(cluster, "ann"));
        for (int i = cluster.nodes().indexOf(cluster.ownerOf(slot)) + 1; moving.get(); i++) {
            cluster.move(slot, cluster.nodes().get(i % cluster.nodes().size()));
            LockSupport.parkNanos(BETWEEN_MOVES.toNanos());
        }
    }

    private List<GuardedNode> nodes(RedisCluster cluster) {
        String uri = cluster.nodes().stream()
                .map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(",", "redis-cluster://", ""));
        List<GuardedNode> nodes = new ArrayList<>();
        for (int i = 0; i < FaultRun.NODES; i++) {
            nodes.add(FaultRun.node(uri, resources));
        }
        return nodes;
    }

    private static long byStore(List<GuardedNode> nodes) {
        return nodes.stream().mapToLong(GuardedNode::byStore).sum();
    }

    /** Returns the primary that has the user's account. */
    private static RedisServer homeOf(RedisCluster cluster, String user) {
        return cluster.ownerOf(cluster.slotOf(keyOf(cluster, user)));
    }

    /** Returns the key of the user's account, which must exist. */
    private static String keyOf(RedisCluster cluster, String user) {
        return cluster.nodes().stream()
                .map(node -> node.command("KEYS", "*:" + user + "}*"))
                .filter(key -> !key.isEmpty())
                .findFirst()
                .orElseThrow();
    }

    /** Returns a user whose account is on another node than ann's. */
    private static String userElsewhere(RedisCluster cluster, GuardedNode node) {
        node.askOnce(ANN);
        RedisServer ann = homeOf(cluster, "ann");
        String user = "bob";
        node.askOnce(Request.of("user", user));
        while (homeOf(cluster, user) == ann) {
            user += "b";
            node.askOnce(Request.of("user", user));
        }
        return user;
    }
}
