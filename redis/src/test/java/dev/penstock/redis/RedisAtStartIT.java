package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisSentinels;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A Redis that answers but is not of the kind that the address says. One line says what it is and what was expected.
 */
class RedisAtStartIT {
    private static final String REPLICA = "a replica, which is read-only (expected: a primary)";

    private final Ask ask =
            Ask.of(Charge.of(LimitSettings.of("p", Limit.tokenBucket(1_000, Duration.ofDays(1))), Key.of("p", "k"), 1));

    @Test
    void nodeOfACluster_asOneServer_isRejected() {
        try (RedisCluster cluster = RedisCluster.start()) {
            int port = cluster.nodes().get(1).port();
            refused(
                    "redis://127.0.0.1:" + port,
                    port,
                    "a node of a Cluster (expected: one server; redis-cluster://... for a Cluster)");
        }
    }

    @Test
    void oneServer_asACluster_isRejected() {
        try (RedisServer redis = RedisServer.start()) {
            refused(
                    "redis-cluster://127.0.0.1:" + redis.port(),
                    redis.port(),
                    "ERR This instance has cluster support disabled (expected: nodes of a Cluster; redis://... for one server)");
        }
    }

    @Test
    void sentinel_asOneServer_isRejected() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            String first = sentinels.uri().replaceFirst("redis-sentinel://127.0.0.1:(\\d+).*", "$1");
            refused(
                    "redis://127.0.0.1:" + first,
                    Integer.parseInt(first),
                    "a Sentinel (expected: one server; redis-sentinel://...#primary for a primary behind Sentinels)");
        }
    }

    @Test
    void replica_isRejected() {
        try (RedisServer primary = RedisServer.start();
                RedisServer replica = RedisServer.start()) {
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
            refused(replica.uri(), replica.port(), REPLICA);
        }
    }

    @Test
    void replica_engineStartsAnyway_isWarnedAboutOnceAndUsedWhenPromoted() {
        try (RedisServer redis = RedisServer.start();
                LogLines log = LogLines.of(RedisEngine.class)) {
            redis.command("REPLICAOF", "127.0.0.1", "1");
            try (RedisEngine engine =
                    RedisEngine.builder(redis.uri()).startWithoutRedis().build()) {
                assertThat(Asking.isAllowed(engine, ask)).isFalse();
                int before = attempts(redis);
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> attempts(redis) > before + 2);
                redis.command("REPLICAOF", "NO", "ONE");
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> Asking.isAllowed(engine, ask));
            }
            assertThat(log.with("a replica"))
                    .containsExactly("WARNING redis at 127.0.0.1:" + redis.port() + ": " + REPLICA + "; trying again");
        }
    }

    @Test
    void wrongPassword_orNone_isRejectedInOneLineWithoutThePassword() {
        try (RedisServer redis = RedisServer.start()) {
            redis.command("ACL", "SETUSER", "limiter", "on", ">secret", "~*", "+@all");
            refused(
                    "redis://limiter:mistaken@127.0.0.1:" + redis.port(),
                    redis.port(),
                    "WRONGPASS invalid username-password pair or user is disabled."
                            + " (expected: a user and password that Redis knows)");
            redis.command("CONFIG", "SET", "requirepass", "secret");
            assertThatThrownBy(() -> RedisEngine.builder(redis.uri()).build())
                    .hasMessageStartingWith("redis at 127.0.0.1:" + redis.port() + ": NOAUTH ")
                    .hasMessageEndingWith(" (expected: a user and password that Redis knows)")
                    .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
        }
    }

    @Test
    void wrongPassword_ofACluster_isRejectedInOneLine() {
        try (RedisCluster cluster = RedisCluster.start()) {
            int port = cluster.nodes().get(0).port();
            refused(
                    "redis-cluster://limiter:mistaken@127.0.0.1:" + port,
                    port,
                    "WRONGPASS invalid username-password pair or user is disabled."
                            + " (expected: a user and password that Redis knows)");
        }
    }

    @Test
    void infoForbidden_isAccepted() {
        try (RedisServer redis = RedisServer.start()) {
            redis.command("ACL", "SETUSER", "limiter", "on", ">secret", "~*", "+@all", "-info");
            String uri = "redis://limiter:secret@127.0.0.1:" + redis.port();
            try (RedisEngine engine = RedisEngine.builder(uri).build()) {
                assertThat(Asking.isAllowed(engine, ask)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"6.2.14", "5.0.7"})
    void oldRedis_isUnfit(String version) {
        for (RedisAddress.Kind kind : RedisAddress.Kind.values()) {
            assertThatThrownBy(() -> ServerInfo.of("# Server\r\nredis_version:" + version + "\r\n")
                            .expectFit(kind))
                    .hasMessage("Redis " + version + " (expected: Redis 7 or later, or Valkey)");
        }
    }

    @Test
    void missingFields_areAccepted() {
        for (String info : List.of(
                "",
                "redis_version:7.0.0",
                "redis_version:10.1",
                "redis_version:255.255.255",
                "redis_version:unstable",
                "# Server\r\nredis_version:6.2.4\r\nserver_name:valkey\r\nvalkey_version:8.0.1\r\nrole:master\r\n")) {
            assertThatCode(() -> ServerInfo.of(info).expectFit(RedisAddress.Kind.SERVER))
                    .as(info)
                    .doesNotThrowAnyException();
        }
    }

    private static void refused(String uri, int port, String why) {
        assertThatThrownBy(() -> RedisEngine.builder(uri).build())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("redis at 127.0.0.1:" + port + ": " + why);
    }

    /** Returns how often the engine has connected. The test's own connections do not send HELLO. */
    private static int attempts(RedisServer redis) {
        return redis.command("INFO", "commandstats")
                .lines()
                .filter(line -> line.startsWith("cmdstat_hello:"))
                .mapToInt(line -> Integer.parseInt(line.replaceFirst(".*:calls=(\\d+),.*", "$1")))
                .sum();
    }
}
