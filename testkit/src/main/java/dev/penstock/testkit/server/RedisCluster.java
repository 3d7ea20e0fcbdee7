package dev.penstock.testkit.server;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A Redis Cluster of three primaries without replicas, each with a third of the slots. A node that is killed takes its
 * slots with it until it is restarted, and with the default settings the whole cluster refuses commands meanwhile.
 * Thread-safe.
 */
public final class RedisCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final int NODES = 3;
    private static final int SLOTS = 16_384;

    private final List<RedisServer> nodes;

    private RedisCluster(List<RedisServer> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /**
     * Starts the nodes and waits until each of them finds the cluster whole.
     *
     * @param config more arguments of every node, such as {@code "--cluster-require-full-coverage", "no"}
     */
    public static RedisCluster start(String... config) {
        List<String> arguments = new ArrayList<>(List.of("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"));
        arguments.addAll(List.of(config));
        List<RedisServer> nodes = new ArrayList<>();
        boolean up = false;
        try {
            for (int i = 0; i < NODES; i++) {
                nodes.add(RedisServer.start(arguments.toArray(String[]::new)));
            }
            RedisCluster cluster = new RedisCluster(nodes);
            cluster.join();
            cluster.waitUntilWhole();
            up = true;
            return cluster;
        } finally {
            if (!up) {
                nodes.forEach(RedisServer::close);
            }
        }
    }

    /** The nodes, in the order of their slots. */
    public List<RedisServer> nodes() {
        return nodes;
    }

    /** The first node, which tells a client of the others. */
    public String uri() {
        return nodes.get(0).uri();
    }

    /** Waits until every node reaches every other and finds all slots served, as after a node came back. */
    public void waitUntilWhole() {
        await("a whole cluster")
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL_INTERVAL)
                .until(() -> nodes.stream().allMatch(RedisCluster::isWhole));
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }

    private void join() {
        for (int i = 0; i < NODES; i++) {
            RedisServer node = nodes.get(i);
            // Each an epoch of its own, or the nodes first have to settle whose word counts.
            node.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            node.command(
                    "CLUSTER",
                    "ADDSLOTSRANGE",
                    Integer.toString(SLOTS * i / NODES),
                    Integer.toString(SLOTS * (i + 1) / NODES - 1));
            for (RedisServer other : nodes.subList(0, i)) {
                node.command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()));
            }
        }
    }

    private static boolean isWhole(RedisServer node) {
        Set<String> info = node.command("CLUSTER", "INFO").lines().collect(Collectors.toSet());
        return info.contains("cluster_state:ok")
                && info.contains("cluster_known_nodes:" + NODES)
                && info.contains("cluster_slots_ok:" + SLOTS);
    }
}
