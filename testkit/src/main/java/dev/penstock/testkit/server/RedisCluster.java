package dev.penstock.testkit.server;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A Redis Cluster of three primaries, each with a third of the slots, and optionally a replica of each. If a primary is
 * killed, its replica takes over after some seconds. Without a replica, its slots are unavailable until it is
 * restarted, and with the default settings the whole cluster refuses commands meanwhile. Thread-safe.
 */
public final class RedisCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final int NODES = 3;
    private static final int SLOTS = 16_384;

    private final List<RedisServer> nodes;
    private final List<RedisServer> replicas;

    /**
     * Creates the handle of a running cluster.
     *
     * @param servers the primaries, then the replicas in the same order
     */
    private RedisCluster(List<RedisServer> servers) {
        this.nodes = List.copyOf(servers.subList(0, NODES));
        this.replicas = List.copyOf(servers.subList(NODES, servers.size()));
    }

    /**
     * Starts the nodes and waits until each of them sees the cluster as complete.
     *
     * @param config additional arguments of every node, such as {@code "--cluster-require-full-coverage", "no"}
     */
    public static RedisCluster start(String... config) {
        return start(NODES, config);
    }

    /** Starts a cluster with a replica of each primary. */
    public static RedisCluster startWithReplicas(String... config) {
        return start(2 * NODES, config);
    }

    private static RedisCluster start(int size, String... config) {
        List<String> arguments = new ArrayList<>(List.of(
                "--cluster-enabled", "yes", "--cluster-node-timeout", "2000", "--repl-diskless-sync-delay", "0"));
        arguments.addAll(List.of(config));
        List<RedisServer> servers = new ArrayList<>();
        boolean up = false;
        try {
            for (int i = 0; i < size; i++) {
                servers.add(RedisServer.start(arguments.toArray(String[]::new)));
            }
            RedisCluster cluster = new RedisCluster(servers);
            cluster.join();
            cluster.waitUntilWhole();
            cluster.replicate();
            up = true;
            return cluster;
        } finally {
            if (!up) {
                servers.forEach(RedisServer::close);
            }
        }
    }

    /** Returns the initial primaries, in the order of their slots. */
    public List<RedisServer> nodes() {
        return nodes;
    }

    /** Returns the initial replicas, in the order of their primaries; empty if there are none. */
    public List<RedisServer> replicas() {
        return replicas;
    }

    /** Returns the slot of a key. */
    public int slotOf(String key) {
        return Integer.parseInt(alive().get(0).command("CLUSTER", "KEYSLOT", key));
    }

    /** Returns the node that currently serves a slot, as it reports itself. */
    public RedisServer ownerOf(int slot) {
        return alive().stream()
                .filter(node -> serves(node, slot))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("slot " + slot + ": no owner (expected: a primary)"));
    }

    /** Moves a slot with its keys to another primary while clients continue, as operators' tools do. */
    public void move(int slot, RedisServer to) {
        RedisServer from = ownerOf(slot);
        openMove(slot, from, to);
        moveKeys(slot, from, to);
        closeMove(slot, to);
    }

    /**
     * Runs the first step of a move: from now on, a key that {@code from} does not have must be looked for on
     * {@code to}.
     */
    public void openMove(int slot, RedisServer from, RedisServer to) {
        to.command("CLUSTER", "SETSLOT", Integer.toString(slot), "IMPORTING", id(from));
        from.command("CLUSTER", "SETSLOT", Integer.toString(slot), "MIGRATING", id(to));
    }

    /** Runs the second step of a move, which repeats until no key is left. */
    public void moveKeys(int slot, RedisServer from, RedisServer to) {
        String key = from.command("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), "1");
        while (!key.isEmpty()) {
            from.command("MIGRATE", "127.0.0.1", Integer.toString(to.port()), key, "0", "5000");
            key = from.command("CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), "1");
        }
    }

    /** Runs the last step of a move: announces the new owner to every node, starting with the new owner itself. */
    public void closeMove(int slot, RedisServer to) {
        String owner = id(to);
        to.command("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", owner);
        for (RedisServer node : nodes) {
            if (node != to && node.isAlive()) {
                node.command("CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", owner);
            }
        }
    }

    /** Returns the address of the first node, from which a client learns of the others. */
    public String uri() {
        return nodes.get(0).uri();
    }

    /** Waits until every node reaches every other one and sees all slots as served, for example after a restart. */
    public void waitUntilWhole() {
        await("a whole cluster")
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL_INTERVAL)
                .until(() -> all().stream().allMatch(this::isWhole));
    }

    @Override
    public void close() {
        all().forEach(RedisServer::close);
    }

    private List<RedisServer> all() {
        List<RedisServer> all = new ArrayList<>(nodes);
        all.addAll(replicas);
        return all;
    }

    private List<RedisServer> alive() {
        return all().stream().filter(RedisServer::isAlive).toList();
    }

    private void join() {
        for (int i = 0; i < NODES; i++) {
            RedisServer node = nodes.get(i);
            // Distinct epochs, because nodes would otherwise first have to resolve a conflict.
            node.command("CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
            node.command(
                    "CLUSTER",
                    "ADDSLOTSRANGE",
                    Integer.toString(SLOTS * i / NODES),
                    Integer.toString(SLOTS * (i + 1) / NODES - 1));
        }
        List<RedisServer> all = all();
        for (int i = 0; i < all.size(); i++) {
            for (RedisServer other : all.subList(0, i)) {
                all.get(i).command("CLUSTER", "MEET", "127.0.0.1", Integer.toString(other.port()));
            }
        }
    }

    private void replicate() {
        for (int i = 0; i < replicas.size(); i++) {
            RedisServer replica = replicas.get(i);
            replica.command("CLUSTER", "REPLICATE", id(nodes.get(i)));
            await("a replica in step")
                    .atMost(PATIENCE)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(POLL_INTERVAL)
                    .until(() -> replica.command("INFO", "replication").contains("master_link_status:up"));
        }
    }

    private static String id(RedisServer node) {
        return node.command("CLUSTER", "MYID");
    }

    /**
     * Checks the node's own line of {@code CLUSTER NODES}: id, address, flags, four more fields, then slots from-to.
     */
    private static boolean serves(RedisServer node, int slot) {
        String[] own = node.command("CLUSTER", "NODES")
                .lines()
                .filter(line -> line.contains("myself"))
                .findFirst()
                .orElse("")
                .split(" ", -1);
        for (int i = 8; i < own.length; i++) {
            String[] range = own[i].split("-", -1);
            boolean moving = own[i].startsWith("[");
            if (!moving && Integer.parseInt(range[0]) <= slot && slot <= Integer.parseInt(range[range.length - 1])) {
                return true;
            }
        }
        return false;
    }

    private boolean isWhole(RedisServer node) {
        Set<String> info = node.command("CLUSTER", "INFO").lines().collect(Collectors.toSet());
        return info.contains("cluster_state:ok")
                && info.contains("cluster_known_nodes:" + all().size())
                && info.contains("cluster_slots_ok:" + SLOTS);
    }
}
