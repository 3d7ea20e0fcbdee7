package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.server.RedisServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The statuses and actions with which {@code /v1/gate} denies. */
class GateDenialIT {
    private static final String POLICIES = """
            version: 1
            deny: [ { name: bad, match: { route: /bad } } ]
            policies:
              - name: login
                match: { route: /login }
                limits: [ { key: [], fixed_window: 1/d } ]
                action: challenge
              - name: exports
                match: { route: /exports }
                limits: [ { key: [], fixed_window: 1/d } ]
                action: { tag: slow-lane }
              - name: payments
                match: { route: /payments }
                limits: [ { key: [], fixed_window: 100/d } ]
                on_store_failure: closed
            """;

    @TempDir
    Path directory;

    private ServerSettings settings() throws Exception {
        return TestService.settings(Files.writeString(directory.resolve("p.yaml"), POLICIES));
    }

    private static HttpResponse<String> gate(PenstockServer server, String route) throws Exception {
        ServiceClient client = new ServiceClient(server);
        return client.send(client.to("/v1/gate").header("x-forwarded-uri", route));
    }

    @ParameterizedTest
    @CsvSource({"/login, challenge", "/exports, slow-lane"})
    void limit_is429_withTheActionOfItsPolicy(String route, String action) throws Exception {
        try (PenstockServer server = PenstockServer.start(settings())) {
            assertThat(gate(server, route).headers().firstValue("penstock-action"))
                    .isEmpty();

            HttpResponse<String> denied = gate(server, route);

            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.headers().firstValue("penstock-action")).contains(action);
            assertThat(json(denied).get("action").asText()).isEqualTo(action);
        }
    }

    @Test
    void denyList_is403() throws Exception {
        try (PenstockServer server = PenstockServer.start(settings())) {
            HttpResponse<String> denied = gate(server, "/bad");

            assertThat(denied.statusCode()).isEqualTo(403);
            assertThat(denied.headers().firstValue("penstock-action")).contains("deny");
            assertThat(json(denied).get("status").asInt()).isEqualTo(403);
        }
    }

    @Test
    void failedStore_is503_forPoliciesThatFailClosed() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(TestService.on(redis.uri(), settings()))) {
            assertThat(gate(server, "/payments").statusCode()).isEqualTo(200);
            redis.kill();

            HttpResponse<String> denied = gate(server, "/payments");

            assertThat(denied.statusCode()).isEqualTo(503);
            assertThat(denied.headers().firstValue("penstock-action")).contains("deny");
            assertThat(json(denied).get("reason").asText()).isEqualTo("store_failed");
            assertThat(gate(server, "/login").statusCode()).as("a local share").isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource({"ALWAYS_429, 429", "ALWAYS_403, 403"})
    void deniedStatus_appliesToEveryReason(GateSettings.DeniedStatus setting, int status) throws Exception {
        GateSettings gate = new GateSettings(
                setting,
                GateSettings.DEFAULT.requestHeaders(),
                GateSettings.DEFAULT.attributes(),
                GateSettings.DEFAULT.longestDelay());
        try (PenstockServer server = PenstockServer.start(settings().withGate(gate))) {
            assertThat(gate(server, "/bad").statusCode()).isEqualTo(status);
            assertThat(gate(server, "/login").statusCode()).isEqualTo(200);
            assertThat(gate(server, "/login").statusCode()).isEqualTo(status);
        }
    }
}
