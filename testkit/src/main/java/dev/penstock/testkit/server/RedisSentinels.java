package dev.penstock.testkit.server;

import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A Redis primary with one replica, and three Sentinels that promote the replica about a second after the primary stops
 * responding. A former primary that comes back becomes the replica. Thread-safe.
 */
public final class RedisSentinels implements AutoCloseable {
    private static final String NAME = "mymaster";
    private static final String QUORUM = "2";
    private static final String DOWN_AFTER_MILLIS = "1000";
    private static final String FAILOVER_TIMEOUT_MILLIS = "3000";
    private static final int SERVERS = 2;
    private static final int SENTINELS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

    private final List<RedisServer> servers;
    private final List<RedisServer> sentinels;
    private volatile RedisServer primary;

    private RedisSentinels(List<RedisServer> servers, List<RedisServer> sentinels) {
        this.servers = List.copyOf(servers);
        this.sentinels = List.copyOf(sentinels);
        primary = servers.get(0);
    }

    /**
     * Starts all five processes and waits until they know of each other, so that a failover would succeed.
     *
     * @param config additional arguments of the primary and the replica
     */
    public static RedisSentinels start(String... config) {
        // By default a primary waits for more replicas before it syncs one. There will be no others.
        List<String> arguments = new ArrayList<>(List.of("--repl-diskless-sync-delay", "0"));
        arguments.addAll(List.of(config));
        List<RedisServer> servers = new ArrayList<>();
        List<RedisServer> sentinels = new ArrayList<>();
        boolean up = false;
        try {
            for (int i = 0; i < SERVERS; i++) {
                servers.add(RedisServer.start(arguments.toArray(String[]::new)));
            }
            for (int i = 0; i < SENTINELS; i++) {
                sentinels.add(RedisServer.start("--sentinel"));
            }
            RedisSentinels all = new RedisSentinels(servers, sentinels);
            all.replicate();
            all.watch();
            up = true;
            return all;
        } finally {
            if (!up) {
                servers.forEach(RedisServer::close);
                sentinels.forEach(RedisServer::close);
            }
        }
    }

    /** Returns the address of the Sentinels: {@code redis-sentinel://host:port,host:port,host:port/0#mymaster}. */
    public String uri() {
        return sentinels.stream()
                .map(sentinel -> "127.0.0.1:" + sentinel.port())
                .collect(Collectors.joining(",", "redis-sentinel://", "/0#" + NAME));
    }

    /** Returns the initial primary, or the one that the last {@link #waitForFailover()} found. */
    public RedisServer primary() {
        return primary;
    }

    /** Returns the server that is not the {@link #primary()}. */
    public RedisServer replica() {
        RedisServer current = primary;
        return servers.get(servers.get(0) == current ? 1 : 0);
    }

    /** Returns the three Sentinels, for tests that stop one. */
    public List<RedisServer> sentinels() {
        return sentinels;
    }

    /**
     * Waits until the {@link #replica()} has become the primary and all running Sentinels report it. It does not start
     * the failover: kill or pause the primary first.
     *
     * @return the new primary, which {@link #primary()} returns from now on
     */
    public synchronized RedisServer waitForFailover() {
        RedisServer next = replica();
        await("a failover from port " + primary.port() + " to port " + next.port())
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL_INTERVAL)
                .ignoreExceptions()
                .until(() -> role(next).equals("master") && areAgreedOn(next));
        primary = next;
        return next;
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        servers.forEach(RedisServer::close);
    }

    private void replicate() {
        // Set by a command instead of an argument, because a restart would apply an argument again after a failover.
        servers.get(1)
                .command(
                        "REPLICAOF",
                        "127.0.0.1",
                        Integer.toString(servers.get(0).port()));
        await("a replica in step")
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL_INTERVAL)
                .until(() -> servers.get(1).command("INFO", "replication").contains("master_link_status:up"));
    }

    private void watch() {
        String port = Integer.toString(primary.port());
        for (RedisServer sentinel : sentinels) {
            // By default they check every ten seconds and talk to each other every two, which is too slow for tests.
            sentinel.command("SENTINEL", "DEBUG", "INFO-PERIOD", "200", "PUBLISH-PERIOD", "200");
            sentinel.command("SENTINEL", "MONITOR", NAME, "127.0.0.1", port, QUORUM);
            sentinel.command("SENTINEL", "SET", NAME, "down-after-milliseconds", DOWN_AFTER_MILLIS);
            sentinel.command("SENTINEL", "SET", NAME, "failover-timeout", FAILOVER_TIMEOUT_MILLIS);
        }
        await("Sentinels that know of each other")
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL_INTERVAL)
                .until(() -> sentinels.stream().allMatch(RedisSentinels::knowsAll));
    }

    private boolean areAgreedOn(RedisServer expected) {
        return sentinels.stream()
                .filter(RedisServer::isAlive)
                .allMatch(sentinel -> sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME)
                        .equals("127.0.0.1\n" + expected.port()));
    }

    private static String role(RedisServer server) {
        return server.command("ROLE").lines().findFirst().orElse("");
    }

    private static boolean knowsAll(RedisServer sentinel) {
        String known = sentinel.command("SENTINEL", "MASTER", NAME);
        return known.contains("\nflags\nmaster\n")
                && known.contains("\nnum-slaves\n1\n")
                && known.contains("\nnum-other-sentinels\n" + (SENTINELS - 1) + "\n")
                && sentinel.command("SENTINEL", "REPLICAS", NAME).contains("\nmaster-link-status\nok\n");
    }
}
