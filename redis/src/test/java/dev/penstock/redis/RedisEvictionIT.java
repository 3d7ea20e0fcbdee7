package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The log warns about a Redis that may evict counters. */
class RedisEvictionIT {
    private static final String POLICY = "maxmemory-policy";

    @Test
    void unsafePolicy_isWarnedAboutOnce_andAgainIfChangedAfterAReconnect() {
        try (RedisServer redis = RedisServer.start("--" + POLICY, "allkeys-lru");
                LogLines log = LogLines.of(RedisEngine.class);
                RedisEngine engine = RedisEngine.builder(redis.uri()).build()) {
            String first = warning(redis.uri().substring("redis://".length()), "allkeys-lru");
            assertThat(log.with(POLICY)).containsExactly(first);
            reconnect(redis);
            redis.command("CONFIG", "SET", POLICY, "volatile-ttl");
            reconnect(redis);
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> !log.with("volatile-ttl").isEmpty());
            assertThat(log.with(POLICY))
                    .containsExactly(first, warning(redis.uri().substring("redis://".length()), "volatile-ttl"));
            assertThat(engine.name()).isEqualTo("redis");
        }
    }

    @Test
    void policyChangedWhileConnected_isNoticed() {
        try (RedisCluster cluster = RedisCluster.start();
                LogLines log = LogLines.of(RedisEngine.class)) {
            RedisServer second = cluster.nodes().get(1);
            try (RedisEngine engine = RedisEngine.builder(uri(cluster)).build()) {
                assertThat(log.with(POLICY)).as(engine.name()).isEmpty();

                second.command("CONFIG", "SET", POLICY, "allkeys-lru");

                Awaitility.await()
                        .atMost(Duration.ofSeconds(60))
                        .untilAsserted(() -> assertThat(log.with(POLICY))
                                .containsExactly(warning("127.0.0.1:" + second.port(), "allkeys-lru")));
            }
        }
    }

    @Test
    void replicaThatBecomesAPrimary_isChecked() {
        try (RedisCluster cluster = RedisCluster.startWithReplicas();
                LogLines log = LogLines.of(RedisEngine.class);
                RedisEngine engine = RedisEngine.builder(uri(cluster)).build()) {
            RedisServer replica = cluster.replicas().get(0);
            replica.command("CONFIG", "SET", POLICY, "allkeys-lru");
            assertThat(log.with(POLICY)).as(engine.name()).isEmpty();

            // An accepted failover may still be given up, for example if the primary is busy.
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofSeconds(6))
                    .until(() -> {
                        boolean isPrimary = replica.command("ROLE").contains("master");
                        String unused = isPrimary ? "" : replica.command("CLUSTER", "FAILOVER");
                        return isPrimary;
                    });

            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(log.with(POLICY))
                            .containsExactly(warning("127.0.0.1:" + replica.port(), "allkeys-lru")));
        }
    }

    @Test
    void safePolicy_isNotWarnedAbout() {
        try (RedisServer redis = RedisServer.start();
                LogLines log = LogLines.of(RedisEngine.class);
                RedisEngine engine = RedisEngine.builder(redis.uri()).build()) {
            assertThat(log.with(POLICY)).as(engine.name()).isEmpty();
        }
    }

    @Test
    void unsafePolicy_ofSomeNodesOfACluster_isWarnedAboutInOneLine() {
        try (RedisCluster cluster = RedisCluster.start();
                LogLines log = LogLines.of(RedisEngine.class)) {
            RedisServer second = cluster.nodes().get(1);
            RedisServer third = cluster.nodes().get(2);
            for (RedisServer node : new RedisServer[] {second, third}) {
                node.command("CONFIG", "SET", POLICY, "allkeys-lru");
            }
            try (RedisEngine engine = RedisEngine.builder(uri(cluster)).build()) {
                String both = String.join(
                        ", ",
                        Stream.of(second, third)
                                .map(node -> "127.0.0.1:" + node.port())
                                .sorted()
                                .toList());
                assertThat(log.with(POLICY)).as(engine.name()).containsExactly(warning(both, "allkeys-lru"));
            }
        }
    }

    private static String uri(RedisCluster cluster) {
        return "redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port();
    }

    /** Returns when the engine has reconnected. */
    private static void reconnect(RedisServer redis) {
        String before = hellos(redis);
        redis.command("CLIENT", "KILL", "TYPE", "normal");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !hellos(redis).equals(before));
    }

    /** Returns how often the engine sent HELLO. The test's own connections do not send it. */
    private static String hellos(RedisServer redis) {
        return redis.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_hello:"))
                .findFirst()
                .orElse("");
    }

    private static String warning(String where, String policy) {
        return "WARNING redis at " + where + ": maxmemory-policy " + policy
                + " may evict counters when memory is full. Evicted counters restart from zero (expected: noeviction)";
    }
}
