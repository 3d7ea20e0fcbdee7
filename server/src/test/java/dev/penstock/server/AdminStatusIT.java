package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.Request;
import dev.penstock.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of a node, and the list of nodes. */
class AdminStatusIT {
    @TempDir
    Path directory;

    private PenstockServer start(RedisServer redis) throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), TestService.POLICIES);
        return PenstockServer.start(TestService.settings(file)
                .withRedis(redis == null ? null : new RedisUri(redis.uri()))
                .withObserve(new ObserveSettings("eu-1", null, 0, 0, 1_000, MetricSettings.DEFAULT, null, true)));
    }

    private static JsonNode get(PenstockServer server, String path) throws Exception {
        return ServiceClient.json(ServiceClient.ofAdmin(server).get(path));
    }

    @Test
    void status_hasTheNode_itsPoliciesAndPorts() throws Exception {
        try (PenstockServer server = start(null)) {
            JsonNode status = get(server, "/admin/status");

            assertThat(status.get("node").asText()).endsWith(":" + server.port());
            assertThat(status.get("version").asText()).matches("[0-9]+[.].*");
            assertThat(status.get("state").asText()).isEqualTo("ready");
            assertThat(status.get("region").asText()).isEqualTo("eu-1");
            assertThat(Instant.parse(status.get("started_at").asText())).isAfter(Instant.EPOCH);
            assertThat(status.at("/policies/version").asInt()).isEqualTo(1);
            assertThat(status.at("/policies/hash").asText())
                    .isEqualTo(server.policies().version().hash());
            assertThat(Instant.parse(status.at("/policies/loaded_at").asText())).isAfter(Instant.EPOCH);
            assertThat(status.at("/store/name").asText()).isEqualTo("memory");
            assertThat(status.at("/store/shared").asBoolean()).isFalse();
            assertThat(status.at("/store/up").asBoolean()).isTrue();
            assertThat(status.at("/ports/main").asInt()).isEqualTo(server.port());
            assertThat(status.at("/ports/admin").asInt()).isEqualTo(server.adminPort());
            assertThat(status.get("notes")).isEmpty();
        }
    }

    @Test
    void status_hasPolicyErrors_andShutdown() throws Exception {
        try (PenstockServer server = start(null)) {
            Files.writeString(directory.resolve("p.yaml"), "version: 1\npolicies: 5\n");
            server.reload();
            server.drain();
            JsonNode status = get(server, "/admin/status");

            assertThat(status.at("/policies/failure/errors/0/line").asInt()).isEqualTo(2);
            assertThat(status.get("state").asText()).isEqualTo("ending");
            assertThat(status.get("notes")).hasSize(1);
        }
    }

    @Test
    void status_onRedis_hasLeasesAndRoundTrips() throws Exception {
        Path file = Files.writeString(directory.resolve("leased.yaml"), """
                version: 1
                policies:
                  - { name: busy, limits: [ { key: [user], token_bucket: 100000/s } ], consistency: leased }
                """);
        try (RedisServer redis = RedisServer.start();
                PenstockServer server =
                        PenstockServer.start(TestService.settings(file).withRedis(new RedisUri(redis.uri())))) {
            assertThat(get(server, "/admin/status").at("/store/leases")).isEmpty();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                for (int i = 0; i < 300; i++) {
                    var unused = server.limiter().decide(Request.of("user", "ann"));
                }
                return get(server, "/admin/status").at("/store/leases/busy").asInt() > 0;
            });
            assertThat(get(server, "/admin/status")
                            .at("/store/trips_per_second")
                            .path("127.0.0.1:" + redis.port())
                            .asDouble())
                    .isPositive();
        }
    }

    @Test
    void policies_keepPastFailures_afterAGoodReload() throws Exception {
        try (PenstockServer server = start(null)) {
            assertThat(get(server, "/admin/policies").get("failures")).isEmpty();
            Files.writeString(directory.resolve("p.yaml"), "version: 1\npolicies: 5\n");
            server.reload();
            JsonNode failing = get(server, "/admin/policies");
            assertThat(failing.get("failures")).containsExactly(failing.get("failure"));
            Files.writeString(directory.resolve("p.yaml"), TestService.POLICIES);
            server.reload();
            JsonNode recovered = get(server, "/admin/policies");

            assertThat(recovered.has("failure")).isFalse();
            assertThat(recovered.get("failures")).isEqualTo(failing.get("failures"));
            assertThat(recovered.at("/failures/0/errors/0/line").asInt()).isEqualTo(2);
        }
    }

    @Test
    void nodes_withoutAStore_areThisOneOnly() throws Exception {
        try (PenstockServer server = start(null)) {
            JsonNode nodes = get(server, "/admin/nodes");

            assertThat(nodes.get("from").asText()).isEqualTo("this_node");
            assertThat(nodes.get("nodes")).hasSize(1);
            assertThat(nodes.at("/nodes/0/this").asBoolean()).isTrue();
            assertThat(nodes.at("/nodes/0/node").asText()).endsWith(":" + server.port());
        }
    }

    @Test
    void nodes_onRedis_areAll_andOnlyThisOneWithoutRedis() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer one = start(redis);
                PenstockServer two = start(redis)) {
            Set<String> expected = new TreeSet<>(Set.of(
                    get(one, "/admin/status").get("node").asText(),
                    get(two, "/admin/status").get("node").asText()));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(60))
                    .until(() -> names(get(one, "/admin/nodes")).equals(expected));
            JsonNode nodes = get(two, "/admin/nodes");
            assertThat(nodes.get("from").asText()).isEqualTo("store");
            assertThat(nodes.at("/nodes/0/region").asText()).isEqualTo("eu-1");
            assertThat(nodes.at("/nodes/0/policies").asText())
                    .isEqualTo(one.policies().version().hash());
            assertThat(nodes.at("/nodes/0/this").asBoolean())
                    .isNotEqualTo(nodes.at("/nodes/1/this").asBoolean());

            redis.kill();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                new ServiceClient(one).post("/v1/check", TestService.body("ann"));
                return get(one, "/admin/status").at("/store/up").asBoolean() == false;
            });
            assertThat(Instant.parse(get(one, "/admin/status")
                            .at("/store/in_fallback_since")
                            .asText()))
                    .isAfter(Instant.EPOCH);
            assertThat(get(one, "/admin/nodes").get("from").asText()).isEqualTo("this_node");
        }
    }

    private static Set<String> names(JsonNode nodes) {
        Set<String> names = new TreeSet<>();
        nodes.get("nodes").forEach(each -> names.add(each.path("node").asText()));
        return names;
    }
}
