package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.penstock.testkit.server.RedisServer;
import dev.penstock.testkit.server.TlsIdentity;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services that use Redis in another way than the default. */
class RedisSettingsIT {
    @TempDir
    Path directory;

    private ServerSettings settings(Map<String, List<String>> flags) throws Exception {
        Path policies = Files.writeString(directory.resolve("p.yaml"), TestService.POLICIES);
        ServerSettings read = SettingsReader.of(Map.of("PENSTOCK_POLICIES", policies.toString()))
                .flags(flags)
                .read()
                .settings();
        return TestService.settings(policies).withRedis(read.redis()).withRedisUse(read.redisUse());
    }

    private static int allowed(PenstockServer server) throws Exception {
        int allowed = 0;
        for (int i = 0; i < 5; i++) {
            allowed += json(new ServiceClient(server).post("/v1/check", TestService.body("ann")))
                            .get("allowed")
                            .asBoolean()
                    ? 1
                    : 0;
        }
        return allowed;
    }

    @Test
    void deploymentsWithDifferentPrefixes_countSeparately() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer live = PenstockServer.start(settings(Map.of("redis", List.of(redis.uri()))));
                PenstockServer staging = PenstockServer.start(
                        settings(Map.of("redis", List.of(redis.uri()), "redis_prefix", List.of("staging"))))) {
            assertThat(allowed(live)).isEqualTo(3);
            assertThat(allowed(staging)).isEqualTo(3);
            assertThat(redis.command("KEYS", "staging1:*")).contains("staging1:");
        }
    }

    @Test
    void policyWithReplicas_allowsOnlyWhatAReplicaHas() throws Exception {
        Path policies = Files.writeString(directory.resolve("p.yaml"), """
                version: 1
                policies:
                  - name: billed
                    limits: [ { key: [user], token_bucket: 100000/h } ]
                    replicas: 1
                    on_store_failure: closed
                """);
        try (RedisServer primary = RedisServer.start();
                RedisServer replica = RedisServer.start();
                PenstockServer server =
                        PenstockServer.start(TestService.on(primary.uri(), TestService.settings(policies)))) {
            assertThat(allowed(server)).isZero();
            replica.command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port()));
            await().atMost(Duration.ofSeconds(60)).until(() -> allowed(server) == 5);
        }
    }

    @Test
    void redisWithItsOwnAuthority_thatRequiresACertificate_isUsed() throws Exception {
        TlsIdentity redisIdentity = TlsIdentity.create(directory, "server");
        TlsIdentity node = TlsIdentity.create(directory, "node");
        try (RedisServer redis = RedisServer.start()) {
            Map<String, List<String>> flags = Map.of(
                    "redis", List.of(redis.serveTls(redisIdentity, node)),
                    "redis_tls.ca", List.of(redisIdentity.certificate().toString()),
                    "redis_tls.certificate", List.of(node.certificate().toString()),
                    "redis_tls.key", List.of(node.key().toString()));
            try (PenstockServer server = PenstockServer.start(settings(flags))) {
                assertThat(allowed(server)).isEqualTo(3);
                assertThat(redis.command("DBSIZE")).isNotEqualTo("0");
            }
        }
    }

    @Test
    void fileWithoutACertificate_isNamedByItsSetting() throws Exception {
        Path empty = Files.writeString(directory.resolve("empty.pem"), "");
        ServerSettings settings =
                settings(Map.of("redis", List.of("rediss://127.0.0.1:1"), "redis_tls.ca", List.of(empty.toString())));

        assertThatThrownBy(() -> PenstockServer.start(settings).close())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("redis_tls.ca: " + empty + " (expected: certificates in PEM)");
    }

    @Test
    void filesForAnAddressWithoutTls_areRejected() throws Exception {
        Path any = Files.writeString(directory.resolve("any.pem"), "");

        assertThatThrownBy(() -> settings(
                        Map.of("redis", List.of("redis://127.0.0.1:1"), "redis_tls.ca", List.of(any.toString()))))
                .isInstanceOf(SettingErrors.class)
                .hasMessageContaining("redis_tls");
    }
}
