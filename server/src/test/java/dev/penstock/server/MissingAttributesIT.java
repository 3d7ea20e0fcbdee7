package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import dev.penstock.testkit.LogLines;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that lack an attribute of a key, such as a login behind a gateway that cannot see the user. */
class MissingAttributesIT {
    private static final String POLICIES = """
            version: 1
            attributes: [user]
            policies:
              - { name: login, match: { route: /login }, limits: [ { key: user, fixed_window: 2/d } ] }
              - { name: quiet, match: { route: /quiet }, limits: [ { key: user, fixed_window: 1/d, expose: false } ] }
              - { name: large, match: { route: /large }, limits: [ { key: [ip, user], fixed_window: 1000000/d } ] }
              - { name: left-out, match: { route: /skip }, when_missing: skip, limits: [ { key: user, fixed_window: 1/d } ] }
            """;

    @TempDir
    Path directory;

    private PenstockServer server;
    private ServiceClient client;

    @BeforeEach
    void start() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), POLICIES);
        server = PenstockServer.start(TestService.settings(file)
                .withEnvoy(new EnvoySettings(List.of(), SameDomain.REFUSED, false, Headers.FIELDS, true)));
        client = new ServiceClient(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> gate(String route) throws Exception {
        return client.send(client.to("/v1/gate").header("x-forwarded-uri", route));
    }

    private JsonNode check(String attributes) throws Exception {
        return json(client.post("/v1/check", "{\"attributes\": " + attributes + "}"));
    }

    private String counted() throws Exception {
        return json(ServiceClient.ofAdmin(server).get("/admin/missing"))
                .get("missing")
                .toString();
    }

    @Test
    void denialAtTheGate_namesThePolicyAndTheAttribute() throws Exception {
        gate("/login");
        gate("/login");

        HttpResponse<String> denied = gate("/login");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(json(denied).get("violated-policies").toString()).isEqualTo("[\"login\"]");
        assertThat(json(denied).get("missing").toString()).isEqualTo("[\"user\"]");
        assertThat(json(denied).get("detail").asText())
                .isEqualTo("The request costs more than the limit login can allow right now. It has no user, so it is"
                        + " counted together with all other requests that have none.");
    }

    @Test
    void hiddenLimit_revealsNothing() throws Exception {
        gate("/quiet");

        HttpResponse<String> denied = gate("/quiet");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.body()).doesNotContain("user").doesNotContain("quiet");
    }

    @Test
    void answerInJson_namesTheAttributeOfEachLimit() throws Exception {
        assertThat(check("{\"route\": \"/login\"}").at("/limits/0/missing").toString())
                .isEqualTo("[\"user\"]");
        assertThat(check("{\"route\": \"/large\", \"ip\": \"192.0.2.1\"}")
                        .at("/limits/0/missing")
                        .toString())
                .isEqualTo("[\"user\"]");
        assertThat(check("{\"route\": \"/login\", \"user\": \"ann\"}").at("/limits/0"))
                .isNotEmpty()
                .noneMatch(JsonNode::isArray);
    }

    @Test
    void requestsAreCounted_forOperators() throws Exception {
        assertThat(counted()).isEqualTo("[]");
        for (int i = 0; i < 3; i++) {
            gate("/login");
        }
        check("{\"route\": \"/login\", \"user\": \"ann\"}");
        gate("/skip");

        assertThat(counted()).isEqualTo("[{\"policy\":\"login\",\"attribute\":\"user\",\"requests\":4,\"missing\":3}]");
        assertThat(ServiceClient.ofAdmin(server).get("/metrics").body())
                .contains("rate_limiter_missing_attribute_total{attribute=\"user\",policy=\"login\"} 3.0");
    }

    @Test
    void mostRequestsWithoutTheAttribute_areWarnedAboutOnce() throws Exception {
        try (LogLines log = LogLines.of(Class.forName("dev.penstock.observe.MissingAttributes"))) {
            for (int i = 0; i < 60; i++) {
                check("{\"route\": \"/large\", \"ip\": \"192.0.2.1\", \"user\": \"ann\"}");
            }
            assertThat(log.all()).isEmpty();
            for (int i = 0; i < 300; i++) {
                check("{\"route\": \"/large\", \"ip\": \"192.0.2.1\"}");
            }
            assertThat(log.all()).singleElement().asString().contains("lack the attribute user that large counts by");
        }
    }

    @Test
    void envoysMetadata_namesTheAttribute_andItsRequestsAreCounted() throws Exception {
        try (EnvoyClient envoy = new EnvoyClient(server.port(), "edge")) {
            RateLimitResponse answer = envoy.ask(descriptor("route", "/login"));

            assertThat(EnvoyHeaders.metadata(answer, "missing")).containsExactly("user");
            assertThat(envoy.ask(descriptor("route", "/login", "user", "ann"))
                            .getDynamicMetadata()
                            .containsFields("missing"))
                    .isFalse();
        }
        assertThat(counted()).isEqualTo("[{\"policy\":\"login\",\"attribute\":\"user\",\"requests\":2,\"missing\":1}]");
    }
}
