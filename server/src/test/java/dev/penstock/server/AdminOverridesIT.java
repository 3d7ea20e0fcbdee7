package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.testkit.server.RedisServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Overrides by operators over HTTP, and the lists that show them. */
class AdminOverridesIT {
    private static final String CHECK = "{\"attributes\": {\"route\": \"/api/x\", \"user\": \"ann\"}}";
    private static final String ANN = "\"policy\": \"users\", \"key\": [\"ann\"]";

    @TempDir
    private Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();

    private PenstockServer start(RedisServer redis) throws Exception {
        Path file = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: users, match: { route: /api/** }, limits: [ { key: [user], fixed_window: 5/d } ] }
                """);
        PenstockServer server =
                PenstockServer.start(TestService.on(redis == null ? null : redis.uri(), TestService.settings(file))
                        .withDeadline(Duration.ofSeconds(5)));
        opened.add(server);
        return server;
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    private static boolean passes(PenstockServer server) throws Exception {
        return json(new ServiceClient(server).post("/v1/check", CHECK))
                .get("allowed")
                .asBoolean();
    }

    private static JsonNode get(PenstockServer server, String path) throws Exception {
        HttpResponse<String> response = ServiceClient.ofAdmin(server).get(path);
        assertThat(response.statusCode()).isEqualTo(200);
        return json(response);
    }

    @Test
    void explain_duringShadowMode_saysUntilWhen() throws Exception {
        PenstockServer server = start(null);
        String request = "{\"attributes\": {\"route\": \"/api/x\"}}";
        assertThat(post(server, "/admin/explain", request).has("shadow_until")).isFalse();

        JsonNode shadow = post(server, "/admin/shadow", "{\"for_ms\": 600000}");

        assertThat(post(server, "/admin/explain", request).get("shadow_until").asText())
                .isEqualTo(shadow.get("until").asText());
    }

    private static JsonNode post(PenstockServer server, String path, String body) throws Exception {
        HttpResponse<String> response = ServiceClient.ofAdmin(server).post(path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return json(response);
    }

    @Test
    void key_isBlockedAndUnblocked_onEveryNode_andRecorded() throws Exception {
        RedisServer redis = RedisServer.start();
        opened.add(redis);
        PenstockServer one = start(redis);
        PenstockServer other = start(redis);

        JsonNode blocked = post(one, "/admin/keys/block", "{" + ANN + ", \"for_ms\": 600000}");

        assertThat(blocked.get("blocked").asInt()).isEqualTo(1);
        assertThat(passes(one)).isFalse();
        awaitBlocked(other, 1);
        assertThat(passes(other)).isFalse();
        JsonNode listed = get(other, "/admin/keys/blocked").get("blocked").get(0);
        assertThat(listed.get("policy").asText()).isEqualTo("users");
        assertThat(listed.get("parts").get(0).asText()).isEqualTo("user");
        assertThat(listed.get("key").get(0).asText()).isEqualTo("ann");
        assertThat(listed.get("by").asText()).isEqualTo("admin.token");
        JsonNode shown = post(other, "/admin/keys/show", "{" + ANN + "}").at("/limits/0");
        assertThat(shown.get("blocked").asBoolean()).isTrue();
        assertThat(shown.get("blocked_by").asText()).isEqualTo("admin.token");
        assertThat(Instant.parse(shown.get("blocked_until").asText()))
                .isCloseTo(Instant.parse(listed.get("until").asText()), within(1, ChronoUnit.MINUTES));
        assertThat(shown.get("remaining").asInt()).isEqualTo(5);
        JsonNode denied = json(new ServiceClient(one).post("/v1/check", CHECK));
        assertThat(denied.get("reason").asText()).isEqualTo("blocked");
        assertThat(denied.get("retry_after_ms").asLong()).isBetween(1L, 600_000L);

        post(other, "/admin/keys/unblock", "{" + ANN + "}");
        assertThat(post(other, "/admin/keys/show", "{" + ANN + "}")
                        .at("/limits/0")
                        .has("blocked_by"))
                .isFalse();
        assertThat(passes(other)).isTrue();
        awaitBlocked(one, 0);
        assertThat(passes(one)).isTrue();
    }

    @Test
    void sharedStoreWithoutTokens_allowsReads_andRefusesChanges() throws Exception {
        RedisServer redis = RedisServer.start();
        opened.add(redis);
        Path file = Files.writeString(directory.resolve("policies.yaml"), TestService.POLICIES);
        PenstockServer server = PenstockServer.start(TestService.settings(file).withRedis(new RedisUri(redis.uri())));
        opened.add(server);

        HttpResponse<String> shadow = ServiceClient.ofAdmin(server).post("/admin/shadow", "{\"for_ms\": 600000}");
        HttpResponse<String> reload = ServiceClient.ofAdmin(server).post("/admin/policies/reload", "");

        assertThat(shadow.statusCode()).isEqualTo(403);
        assertThat(json(shadow).get("detail").asText()).contains("PENSTOCK_ADMIN_TOKEN or admin.token_file");
        assertThat(reload.statusCode()).isEqualTo(403);
        assertThat(get(server, "/admin/shadow").get("shadow").asBoolean()).isFalse();
        assertThat(get(server, "/admin/status").has("state")).isTrue();
    }

    private static void awaitBlocked(PenstockServer server, int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> get(server, "/admin/keys/blocked").get("blocked").size() == count);
    }

    @Test
    void service_isInShadow_untilItIsEnded() throws Exception {
        PenstockServer server = start(null);
        for (int i = 0; i < 5; i++) {
            assertThat(passes(server)).isTrue();
        }
        assertThat(passes(server)).isFalse();
        assertThat(get(server, "/admin/shadow").get("shadow").asBoolean()).isFalse();

        JsonNode begun = post(server, "/admin/shadow", "{\"for_ms\": 60000}");

        assertThat(begun.get("shadow").asBoolean()).isTrue();
        assertThat(begun.get("until").asText()).isNotEmpty();
        assertThat(passes(server)).isTrue();
        assertThat(post(server, "/admin/shadow", "{\"for_ms\": 0}")
                        .get("shadow")
                        .asBoolean())
                .isFalse();
        assertThat(passes(server)).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/admin/keys/block   | {\"policy\": \"users\", \"key\": [\"ann\"]}                        | for_ms",
                "/admin/keys/block   | {\"policy\": \"users\", \"key\": [\"ann\"], \"for_ms\": 0}      | for_ms",
                "/admin/keys/block   | {\"policy\": \"user\", \"key\": [\"ann\"], \"for_ms\": 1}       | policy",
                "/admin/keys/block   | {\"policy\": \"users\", \"key\": [], \"for_ms\": 1}               | key",
                "/admin/keys/unblock | {\"policy\": \"users\", \"key\": [\"ann\"], \"for_ms\": 1}      | for_ms",
                "/admin/shadow       | {}                                                                         | for_ms",
                "/admin/shadow       | {\"for_ms\": 604800001}                                                | for_ms",
                "/admin/shadow       | {\"for\": 1}                                                           | for",
            })
    void badBody_isRefusedByName_andChangesNothing(String path, String body, String field) throws Exception {
        PenstockServer server = start(null);

        HttpResponse<String> response = ServiceClient.ofAdmin(server).post(path, body);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(json(response).get("field").asText()).isEqualTo(field);
        assertThat(passes(server)).isTrue();
    }

    @Test
    void topKeys_areThoseOfAllNodes() throws Exception {
        RedisServer redis = RedisServer.start();
        opened.add(redis);
        List<PenstockServer> nodes = List.of(start(redis), start(redis));
        for (int i = 0; i < 4; i++) {
            for (PenstockServer node : nodes) {
                boolean unused = passes(node);
            }
        }

        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            JsonNode top = get(nodes.get(0), "/admin/keys/top?limit=5");
            assertThat(top.get("from").asText()).isEqualTo("store");
            assertThat(top.get("nodes").asInt()).isEqualTo(2);
            JsonNode users = top.get("policies").get(0);
            assertThat(users.get("asked").get(0).get("key").get(0).asText()).isEqualTo("ann");
            assertThat(users.get("asked").get(0).get("count").asInt()).isEqualTo(8);
            assertThat(users.get("denied").get(0).get("count").asInt()).isEqualTo(3);
        });
    }

    @Test
    void topKeys_ofASingleNode_areLabelledAsSuch() throws Exception {
        PenstockServer server = start(null);
        passes(server);

        assertThat(get(server, "/admin/keys/top").get("from").asText()).isEqualTo("this_node");
        assertThat(ServiceClient.ofAdmin(server).get("/admin/keys/top?limit=21").statusCode())
                .isEqualTo(400);
    }

    @Test
    void watchedUser_isLoggedCompletely_forATime() throws Exception {
        Path log = directory.resolve("decisions.jsonl");
        Path file = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                policies:
                  - { name: users, match: { route: /api/** }, limits: [ { key: [user], fixed_window: 5/d } ] }
                """);
        PenstockServer server = PenstockServer.start(
                TestService.settings(file).withObserve(ObserveSettings.DEFAULT.withLog(log, 0, 0)));
        opened.add(server);
        passes(server);

        JsonNode begun =
                post(server, "/admin/log/watch", "{\"attribute\": \"user\", \"value\": \"ann\", \"for_ms\": 600000}");
        passes(server);

        assertThat(begun.get("watched").get(0).get("value").asText()).isEqualTo("ann");
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(log).isNotEmptyFile());
        assertThat(Files.readAllLines(log)).hasSize(1);
        assertThat(post(server, "/admin/log/watch", "{\"attribute\": \"user\", \"value\": \"ann\", \"for_ms\": 0}")
                        .get("watched"))
                .isEmpty();
        PenstockServer without = start(null);
        assertThat(ServiceClient.ofAdmin(without)
                        .post("/admin/log/watch", "{\"attribute\": \"a\", \"value\": \"b\", \"for_ms\": 1}")
                        .statusCode())
                .isEqualTo(400);
        assertThat(get(without, "/admin/log/watch").get("written").asBoolean()).isFalse();
    }
}
