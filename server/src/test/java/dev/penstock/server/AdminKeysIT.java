package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.testkit.server.RedisServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Showing and resetting keys. */
class AdminKeysIT {
    private static final String ANN = "{\"route\": \"/api/x\", \"user\": \"ann\"}";

    private static final String POLICIES = """
            version: 1
            plans:
              free: { requests: 10/h }
              paid: { requests: 1000/h }
            tenants: { acme: { plan: paid } }
            default_plan: free
            deny: [ { name: bad, match: { ip: 203.0.113.0/24 } } ]
            policies:
              - name: api
                match: { route: /api/** }
                limits:
                  - { id: hourly, key: [user], token_bucket: 3/h }
                  - { id: mine, key: [user], local: true, token_bucket: 100/s }
              - name: login
                match: { route: /login }
                limits: [ { id: tries, key: [ip], sliding_log: 1/h, block_for: 10m } ]
              - name: plan
                match: { route: /plan/** }
                colocate: tenant
                limits:
                  - { id: tenant, key: [tenant], token_bucket: plan.requests }
                  - { id: both, key: [tenant, user], token_bucket: 5/h }
            """;

    @TempDir
    Path directory;

    private PenstockServer start(String redis) throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), POLICIES);
        return PenstockServer.start(
                TestService.on(redis, TestService.settings(file)).withDeadline(Duration.ofSeconds(5)));
    }

    private static JsonNode post(PenstockServer server, String path, String body) throws Exception {
        HttpResponse<String> response = ServiceClient.ofAdmin(server).post(path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return ServiceClient.json(response);
    }

    private static boolean check(PenstockServer server, String attributes) throws Exception {
        return ServiceClient.json(new ServiceClient(server).post("/v1/check", "{\"attributes\": " + attributes + "}"))
                .get("allowed")
                .asBoolean();
    }

    private static List<String> ids(JsonNode shown) {
        List<String> ids = new ArrayList<>();
        shown.get("limits").forEach(limit -> ids.add(limit.get("limit").asText()));
        return ids;
    }

    @Test
    void show_returnsAllLimitsOfARequest_andChargesNothing() throws Exception {
        try (PenstockServer server = start(null)) {
            check(server, ANN);
            for (int i = 0; i < 5; i++) {
                JsonNode shown = post(server, "/admin/keys/show", "{\"attributes\": " + ANN + "}");

                assertThat(ids(shown)).containsExactlyInAnyOrder("hourly", "mine");
                JsonNode hourly = shown.get("limits").get(ids(shown).indexOf("hourly"));
                assertThat(hourly.get("policy").asText()).isEqualTo("api");
                assertThat(hourly.get("numbers").asText()).isEqualTo("token_bucket: 3 per 1h, burst: 3");
                assertThat(hourly.get("capacity").asInt()).isEqualTo(3);
                assertThat(hourly.get("remaining").asInt()).isEqualTo(2);
                assertThat(hourly.get("key").toString()).isEqualTo("[\"ann\"]");
                assertThat(hourly.get("parts").toString()).isEqualTo("[\"user\"]");
                assertThat(hourly.get("blocked").asBoolean()).isFalse();
                Instant at = Instant.parse(shown.get("at").asText());
                assertThat(Instant.parse(hourly.get("free_at").asText())).isBetween(at, at.plusSeconds(1_200));
                assertThat(shown.get("limits")
                                .get(ids(shown).indexOf("mine"))
                                .get("local")
                                .asBoolean())
                        .isTrue();
            }
        }
    }

    @Test
    void keysOfAPolicy_areTheSameCounters() throws Exception {
        try (PenstockServer server = start(null)) {
            check(server, ANN);
            JsonNode all = post(server, "/admin/keys/show", "{\"policy\": \"api\", \"key\": [\"ann\"]}");
            JsonNode one = post(
                    server, "/admin/keys/show", "{\"policy\": \"api\", \"limit\": \"hourly\", \"key\": [\"ann\"]}");

            assertThat(ids(all)).containsExactlyInAnyOrder("hourly", "mine");
            assertThat(ids(one)).containsExactly("hourly");
            assertThat(one.at("/limits/0/remaining").asInt()).isEqualTo(2);
        }
    }

    /** The values in an answer can be used in the next call. */
    @Test
    void missingAttribute_isNull() throws Exception {
        try (PenstockServer server = start(null)) {
            String nobody = "{\"route\": \"/plan/x\", \"tenant\": \"acme\"}";
            check(server, nobody);
            JsonNode met = post(server, "/admin/keys/show", "{\"attributes\": " + nobody + "}");
            JsonNode shown = post(server, "/admin/keys/show", "{\"policy\": \"plan\", \"key\": [\"acme\", null]}");

            assertThat(met.at("/limits/" + ids(met).indexOf("both") + "/key").toString())
                    .isEqualTo("[\"acme\",null]");
            assertThat(shown.at("/limits/0/remaining").asInt()).isEqualTo(4);
            assertThat(shown.at("/limits/0/key").toString()).isEqualTo("[\"acme\",null]");
        }
    }

    @Test
    void plan_isThatOfTheTenantInTheKey() throws Exception {
        try (PenstockServer server = start(null)) {
            String acme = "{\"route\": \"/plan/x\", \"tenant\": \"acme\", \"user\": \"ann\"}";
            check(server, acme);
            JsonNode shown = post(server, "/admin/keys/show", "{\"policy\": \"plan\", \"key\": [\"acme\"]}");
            JsonNode other = post(server, "/admin/keys/show", "{\"policy\": \"plan\", \"key\": [\"nobody\"]}");
            JsonNode both = post(server, "/admin/keys/show", "{\"policy\": \"plan\", \"key\": [\"acme\", \"ann\"]}");

            assertThat(shown.at("/limits/0/remaining").asInt()).isEqualTo(999);
            assertThat(other.at("/limits/0/capacity").asInt()).isEqualTo(10);
            assertThat(both.at("/limits/0/remaining").asInt()).isEqualTo(4);
        }
    }

    @Test
    void block_isShownWithItsEnd_andResetLiftsIt() throws Exception {
        try (PenstockServer server = start(null)) {
            String login = "{\"route\": \"/login\", \"ip\": \"192.0.2.1\"}";
            assertThat(check(server, login)).isTrue();
            assertThat(check(server, login)).isFalse();
            JsonNode blocked = post(server, "/admin/keys/show", "{\"policy\": \"login\", \"key\": [\"192.0.2.1\"]}");
            post(server, "/admin/keys/reset", "{\"policy\": \"login\", \"key\": [\"192.0.2.1\"]}");
            JsonNode free = post(server, "/admin/keys/show", "{\"attributes\": " + login + "}");

            assertThat(blocked.at("/limits/0/blocked").asBoolean()).isTrue();
            assertThat(blocked.at("/limits/0/remaining").asInt()).isZero();
            assertThat(Instant.parse(blocked.at("/limits/0/blocked_until").asText()))
                    .isAfter(Instant.parse(blocked.get("at").asText()));
            assertThat(free.at("/limits/0/blocked").asBoolean()).isFalse();
            assertThat(free.at("/limits/0/remaining").asInt()).isEqualTo(1);
            assertThat(check(server, login)).isTrue();
        }
    }

    @Test
    void requestDecidedByAList_isReported() throws Exception {
        try (PenstockServer server = start(null)) {
            JsonNode shown = post(
                    server, "/admin/keys/show", "{\"attributes\": {\"route\": \"/api/x\", \"ip\": \"203.0.113.9\"}}");

            assertThat(shown.get("ruled_by").asText()).isEqualTo("bad");
            assertThat(shown.get("allowed").asBoolean()).isFalse();
            assertThat(shown.get("limits")).isEmpty();
        }
    }

    /** A reset on one node applies to all nodes and their deny caches. */
    @Test
    void reset_onRedis_isForAllNodes() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer one = start(redis.uri());
                PenstockServer two = start(redis.uri())) {
            for (int i = 0; i < 3; i++) {
                assertThat(check(i % 2 == 0 ? one : two, ANN)).isTrue();
            }
            assertThat(check(one, ANN)).isFalse();
            JsonNode spent = post(two, "/admin/keys/show", "{\"policy\": \"api\", \"key\": [\"ann\"]}");
            JsonNode reset = post(two, "/admin/keys/reset", "{\"attributes\": " + ANN + "}");
            JsonNode after = post(one, "/admin/keys/show", "{\"policy\": \"api\", \"key\": [\"ann\"]}");

            assertThat(spent.at("/limits/" + ids(spent).indexOf("hourly") + "/remaining")
                            .asInt())
                    .isZero();
            assertThat(spent.get("decided_by").asText()).isEqualTo("store");
            assertThat(reset.get("reset").asInt()).isEqualTo(2);
            assertThat(after.at("/limits/" + ids(after).indexOf("hourly") + "/remaining")
                            .asInt())
                    .isEqualTo(3);
            assertThat(check(two, ANN)).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void policy_isResetCompletely_andNoOther(boolean onRedis) throws Exception {
        try (RedisServer redis = onRedis ? RedisServer.start() : null;
                PenstockServer server = start(redis == null ? null : redis.uri())) {
            String login = "{\"route\": \"/login\", \"ip\": \"192.0.2.1\"}";
            String acme = "{\"route\": \"/plan/x\", \"tenant\": \"acme\", \"user\": \"ann\"}";
            for (int i = 0; i < 2; i++) {
                check(server, login);
                check(server, acme);
            }
            JsonNode ofLogin = post(server, "/admin/policies/login/reset", "");
            JsonNode ofPlan = post(server, "/admin/policies/plan/reset", "");
            check(server, ANN);

            assertThat(ofLogin.get("counters")).hasSize(1);
            assertThat(ofPlan.get("counters")).hasSize(2);
            assertThat(ofPlan.get("shared_with")).isEmpty();
            assertThat(check(server, login)).as("no longer blocked").isTrue();
            JsonNode both = post(server, "/admin/keys/show", "{\"policy\": \"plan\", \"key\": [\"acme\", \"ann\"]}");
            assertThat(both.at("/limits/0/remaining").asInt()).isEqualTo(5);
            JsonNode api = post(
                    server, "/admin/keys/show", "{\"policy\": \"api\", \"limit\": \"hourly\", \"key\": [\"ann\"]}");
            assertThat(api.at("/limits/0/remaining").asInt()).isEqualTo(2);
            HttpResponse<String> unknown = ServiceClient.ofAdmin(server).post("/admin/policies/nothing/reset", "");
            assertThat(unknown.statusCode()).isEqualTo(400);
            assertThat(ServiceClient.json(unknown).get("detail").asText())
                    .isEqualTo("name: nothing (expected: a policy that is in use)");
        }
    }

    @Test
    void reset_withoutRedis_isNotReportedAsDone() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = start(redis.uri())) {
            check(server, ANN);
            redis.kill();
            ServiceClient admin = ServiceClient.ofAdmin(server);
            HttpResponse<String> failed = admin.post("/admin/keys/reset", "{\"attributes\": " + ANN + "}");

            assertThat(failed.statusCode()).isEqualTo(503);
            assertThat(ServiceClient.json(admin.get("/admin/audit?limit=1"))
                            .at("/changes/0/result")
                            .asText())
                    .isEqualTo("the store failed");
        }
    }

    /** The command was already sent when the wait for its reply ended. */
    @Test
    void reset_thatRedisMakesAfterAnOutage_isInTheAuditLog() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = start(redis.uri())) {
            check(server, ANN);
            ServiceClient admin = ServiceClient.ofAdmin(server);
            redis.pause();
            try {
                HttpResponse<String> failed = admin.post("/admin/keys/reset", "{\"attributes\": " + ANN + "}");
                assertThat(failed.statusCode()).isEqualTo(503);
                assertThat(ServiceClient.json(failed).get("detail").asText()).contains("may still happen", "audit log");
                assertThat(lastResult(admin)).isEqualTo("the store failed");
            } finally {
                redis.resume();
            }
            await().atMost(Duration.ofSeconds(60))
                    .untilAsserted(() -> assertThat(lastResult(admin)).isEqualTo("done late"));
        }
    }

    private static String lastResult(ServiceClient admin) throws Exception {
        return ServiceClient.json(admin.get("/admin/audit?limit=1"))
                .at("/changes/0/result")
                .asText();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                    | attributes | attributes: nothing (expected: attributes, or policy, limit and key, or domain and descriptor)
            {"key": ["a"]}                                        | policy     | policy: nothing (expected: attributes, or policy, limit and key, or domain and descriptor)
            {"policy": "api"}                                     | key        | key: nothing (expected: a list)
            {"policy": "api", "key": "ann"}                       | key        | key: a text (expected: a list)
            {"policy": "api", "key": [1]}                         | key[0]     | key[0]: a number (expected: a text)
            {"policy": "apis", "key": ["ann"]}                    | policy     | policy: apis (expected: a policy that is in use; did you mean api?)
            {"policy": "api", "key": []}                          | key        | key: 0 values (expected: those of [user])
            {"policy": "plan", "key": ["a", "b", "c"]}            | key        | key: 3 values (expected: those of [tenant, user] or [tenant])
            {"policy": "api", "limit": "hour", "key": ["ann"]}    | limit      | limit: hour (expected: one of hourly, mine)
            {"attributes": {}, "key": ["ann"]}                    | key        | key: given together with attributes (expected: attributes, or policy, limit and key, or domain and descriptor)
            {"attributes": {"user": 5}}                           | attributes.user | attributes.user: a number (expected: a text)
            {"polcy": "api"}                                      | polcy      | polcy: unknown field (expected: attributes, or policy, limit and key, or domain and descriptor)
            """)
    void wrongBody_isNamed_andChangesNothing(String body, String field, String detail) throws Exception {
        try (PenstockServer server = start(null)) {
            ServiceClient admin = ServiceClient.ofAdmin(server);
            JsonNode last = ServiceClient.json(admin.get("/admin/audit?limit=1"));
            for (String path : List.of("/admin/keys/show", "/admin/keys/reset")) {
                HttpResponse<String> refused = admin.post(path, body);

                assertThat(refused.statusCode()).isEqualTo(400);
                assertThat(ServiceClient.json(refused).get("detail").asText()).startsWith(detail);
                assertThat(ServiceClient.json(refused).get("field").asText()).isEqualTo(field);
            }
            assertThat(ServiceClient.json(admin.get("/admin/audit?limit=1"))).isEqualTo(last);
        }
    }
}
