package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A Redis that may drop counters is warned of where an operator sees it. */
class RedisEvictionIT {
    private static final String POLICY = "maxmemory-policy";

    @Test
    void unsafePolicy_isWarnedOfOnce_andAgainWhenItIsAnotherAfterAReconnect() {
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
    void safePolicy_isNotWarnedOf() {
        try (RedisServer redis = RedisServer.start();
                LogLines log = LogLines.of(RedisEngine.class);
                RedisEngine engine = RedisEngine.builder(redis.uri()).build()) {
            assertThat(log.with(POLICY)).as(engine.name()).isEmpty();
        }
    }

    @Test
    void unsafePolicy_ofSomeNodesOfACluster_isWarnedOfInOneLine() {
        try (RedisCluster cluster = RedisCluster.start();
                LogLines log = LogLines.of(RedisEngine.class)) {
            RedisServer second = cluster.nodes().get(1);
            RedisServer third = cluster.nodes().get(2);
            for (RedisServer node : new RedisServer[] {second, third}) {
                node.command("CONFIG", "SET", POLICY, "allkeys-lru");
            }
            String uri = "redis-cluster://127.0.0.1:" + cluster.nodes().get(0).port();
            try (RedisEngine engine = RedisEngine.builder(uri).build()) {
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

    /** Returns when the engine has connected again. */
    private static void reconnect(RedisServer redis) {
        String before = hellos(redis);
        redis.command("CLIENT", "KILL", "TYPE", "normal");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> !hellos(redis).equals(before));
    }

    /** How often the engine said hello: a test's own connections do not. */
    private static String hellos(RedisServer redis) {
        return redis.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_hello:"))
                .findFirst()
                .orElse("");
    }

    private static String warning(String where, String policy) {
        return "WARNING redis at " + where + ": maxmemory-policy " + policy
                + " may drop counters when memory is full, and what is dropped starts anew (expected: noeviction)";
    }
}
