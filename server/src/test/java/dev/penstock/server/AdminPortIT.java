package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import dev.penstock.testkit.server.RedisServer;
import java.net.ServerSocket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdminPortIT {
    private static final ListenAddress ANY = new ListenAddress("127.0.0.1", 0);
    private static final Secret TOKEN = new Secret("a-token-of-the-admin");

    @TempDir
    Path directory;

    @Test
    void policies_showTheVersionInUse_andFailures() throws Exception {
        try (TestService service = TestService.start(directory)) {
            int admin = service.server().adminPort();
            JsonNode first = TestService.json(service.get(admin, "/admin/policies"));

            service.write("version: 1\npolicies: 5\n");
            HttpResponse<String> refused = service.post(admin, "/admin/policies/reload", "");
            JsonNode after = TestService.json(service.get(admin, "/admin/policies"));

            assertThat(first.get("version").asInt()).isEqualTo(1);
            assertThat(first.get("hash").asText())
                    .isEqualTo(service.server().policies().version().hash());
            assertThat(first.get("policies").asInt()).isEqualTo(2);
            assertThat(first.get("limits").asInt()).isEqualTo(2);
            assertThat(first.has("failure")).isFalse();
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(refused.headers().firstValue("content-type")).contains("application/problem+json");
            assertThat(TestService.json(refused).get("status").asInt()).isEqualTo(422);
            assertThat(TestService.json(refused)
                            .get("errors")
                            .get(0)
                            .get("line")
                            .asInt())
                    .isEqualTo(2);
            assertThat(after.get("version").asInt()).isEqualTo(1);
            assertThat(after.get("failure").get("errors").get(0).get("problem").asText())
                    .contains("expected");
        }
    }

    /** Rules with errors are reported in the same places as policies with errors. */
    @Test
    void rulesForEnvoy_areShownAndReloaded_withThePolicies() throws Exception {
        String rules =
                "domain: edge\ndescriptors: [ { key: user, rate_limit: { unit: day, requests_per_unit: 3 } } ]\n";
        Path file = Files.writeString(directory.resolve("rules.yaml"), rules);
        EnvoySettings envoy = new EnvoySettings(List.of(file), SameDomain.REFUSED, false, Headers.OFF, false);
        try (TestService service = TestService.start(directory, settings -> settings.withEnvoy(envoy))) {
            int admin = service.server().adminPort();
            JsonNode first = TestService.json(service.get(admin, "/admin/policies"));
            Files.writeString(file, rules.replace("day", "fortnight"));
            HttpResponse<String> refused = service.post(admin, "/admin/policies/reload", "");
            JsonNode after = TestService.json(service.get(admin, "/admin/policies"));
            JsonNode ready = TestService.json(service.get(service.port(), "/health/ready"));
            String failing = service.get(admin, "/metrics").body();
            Files.writeString(file, rules.replace("3", "5"));
            HttpResponse<String> taken = service.post(admin, "/admin/policies/reload", "");
            JsonNode fine = TestService.json(service.get(service.port(), "/health/ready"));

            assertThat(first.get("envoy_rules").get("version").asInt()).isEqualTo(1);
            assertThat(first.get("envoy_rules").get("domains").asInt()).isEqualTo(1);
            assertThat(first.get("envoy_rules").get("rules").asInt()).isEqualTo(1);
            assertThat(first.get("envoy_rules").has("failure")).isFalse();
            assertThat(refused.statusCode()).isEqualTo(422);
            assertThat(TestService.json(refused).get("detail").asText())
                    .isEqualTo("The files of envoy.rules cannot be used; version 1 stays in use.");
            assertThat(TestService.json(refused)
                            .get("errors")
                            .get(0)
                            .get("file")
                            .asText())
                    .endsWith("rules.yaml");
            assertThat(after.has("failure")).as("of the policies").isFalse();
            assertThat(after.get("envoy_rules")
                            .get("failure")
                            .get("errors")
                            .get(0)
                            .get("problem")
                            .asText())
                    .contains("fortnight");
            assertThat(ready.get("notes").get(0).asText())
                    .isEqualTo("the files of envoy.rules cannot be used: version 1 stays in use");
            assertThat(failing).contains("\nrate_limiter_envoy_rules_failing 1.0\n");
            assertThat(taken.statusCode()).isEqualTo(200);
            assertThat(TestService.json(taken).get("envoy_rules").get("version").asInt())
                    .isEqualTo(2);
            assertThat(fine.get("notes")).isEmpty();
        }
    }

    @Test
    void reload_returnsErrors_ofPoliciesAndRules() throws Exception {
        Path file = Files.writeString(directory.resolve("rules.yaml"), "domain: edge\n");
        EnvoySettings envoy = new EnvoySettings(List.of(file), SameDomain.REFUSED, false, Headers.OFF, false);
        try (TestService service = TestService.start(directory, settings -> settings.withEnvoy(envoy))) {
            service.write("version: 1\npolicies: 5\n");
            Files.writeString(file, "domain: ''\n");
            JsonNode refused =
                    TestService.json(service.post(service.server().adminPort(), "/admin/policies/reload", ""));

            assertThat(refused.get("detail").asText())
                    .isEqualTo("The policy files cannot be used; version 1 stays in use."
                            + " The files of envoy.rules cannot be used; version 1 stays in use.");
            assertThat(refused.get("errors")).hasSize(2);
        }
    }

    @Test
    void reload_appliesAChange_atOnce() throws Exception {
        try (TestService service = TestService.start(directory)) {
            int admin = service.server().adminPort();
            service.write(TestService.POLICIES.replace("3/h", "50/h"));
            HttpResponse<String> reloaded = service.post(admin, "/admin/policies/reload", "");

            assertThat(reloaded.statusCode()).isEqualTo(200);
            assertThat(TestService.json(reloaded).get("version").asInt()).isEqualTo(2);
            for (int i = 0; i < 10; i++) {
                assertThat(service.check("ann")).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/admin/policies", "/metrics", "/admin/policies/reload"})
    void routesOfTheAdmin_areNotOnTheMainPort(String path) throws Exception {
        try (TestService service = TestService.start(directory)) {
            assertThat(service.get(service.port(), path).statusCode()).isEqualTo(404);
            assertThat(service.post(service.port(), path, "").statusCode()).isEqualTo(404);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/check", "/v1/permits", "/v1/gate"})
    void routesOfTheMainPort_areNotOnTheAdminPort(String path) throws Exception {
        try (TestService service = TestService.start(directory)) {
            assertThat(service.post(service.server().adminPort(), path, TestService.body("ann"))
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void token_isRequired_exceptForHealth() throws Exception {
        try (TestService service =
                TestService.start(directory, settings -> settings.withAdmin(new AdminSettings(ANY).withToken(TOKEN)))) {
            int admin = service.server().adminPort();
            for (String path : new String[] {"/admin/policies", "/metrics"}) {
                assertThat(service.get(admin, path).statusCode()).as(path).isEqualTo(401);
                assertThat(service.send(TestService.to(admin, path).header("authorization", "Bearer wrong"))
                                .statusCode())
                        .isEqualTo(401);
                assertThat(service.send(TestService.to(admin, path).header("authorization", "bearer " + TOKEN.text()))
                                .statusCode())
                        .isEqualTo(200);
            }
            assertThat(service.post(admin, "/admin/policies/reload", "").statusCode())
                    .isEqualTo(401);
            assertThat(service.get(admin, "/health/ready").statusCode()).isEqualTo(200);
            assertThat(service.get(admin, "/health/live").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void publicAddress_requiresAToken() {
        ListenAddress everywhere = new ListenAddress("0.0.0.0", 0);

        assertThatThrownBy(() -> new AdminSettings(everywhere)).hasMessageStartingWith("admin.host: 0.0.0.0 without");
        AdminToken token = new AdminToken("ann", AdminToken.Role.READ, TOKEN);
        assertThat(new AdminSettings(everywhere, List.of(token), null, null).at())
                .isEqualTo(everywhere);
    }

    /** Headers of calls that a page of another site can make a browser send to this machine. */
    @ParameterizedTest
    @CsvSource({"origin, https://evil.example", "sec-fetch-site, cross-site", "origin, null"})
    void pagesOfOtherSites_areRefused(String header, String value) throws Exception {
        try (TestService service = TestService.start(directory)) {
            HttpResponse<String> refused =
                    service.send(TestService.to(service.server().adminPort(), "/admin/policies/reload")
                            .header(header, value)
                            .POST(BodyPublishers.noBody()));

            assertThat(refused.statusCode()).isEqualTo(403);
        }
    }

    @Test
    void foreignHostNames_areRefusedWithoutAToken() throws Exception {
        try (TestService service = TestService.start(directory);
                RawClient client = RawClient.to(service.server().adminPort())) {
            client.send("GET /admin/policies HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n");

            assertThat(client.all()).startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void metrics_onASeparatePort_areOnlyThere() throws Exception {
        try (TestService service = TestService.start(
                directory,
                settings -> settings.withAdmin(
                        new AdminSettings(ANY).withToken(TOKEN).withMetrics(ANY)))) {
            int own = service.server().metricsPort();

            assertThat(own).isNotEqualTo(service.server().adminPort());
            assertThat(service.get(own, "/metrics").statusCode()).isEqualTo(200);
            assertThat(service.get(own, "/admin/policies").statusCode()).isEqualTo(404);
            assertThat(service.send(TestService.to(service.server().adminPort(), "/metrics")
                                    .header("authorization", "Bearer " + TOKEN.text()))
                            .statusCode())
                    .isEqualTo(404);
        }
    }

    @Test
    void portInUse_isNamed_andNothingStaysOpen() throws Exception {
        try (ServerSocket taken = new ServerSocket(0)) {
            ListenAddress there = new ListenAddress("127.0.0.1", taken.getLocalPort());

            assertThatThrownBy(() ->
                            TestService.start(directory, settings -> settings.withAdmin(new AdminSettings(there))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("admin.port: 127.0.0.1:" + taken.getLocalPort() + ", ")
                    .hasMessageEndingWith("(expected: a port that is free)");
        }
    }

    @Test
    void ready_saysWhyNot_andListsProblems() throws Exception {
        try (TestService service = TestService.start(directory)) {
            JsonNode fine = TestService.json(service.get(service.port(), "/health/ready"));
            service.write("version: 1\npolicies: 5\n");
            service.server().reload();
            HttpResponse<String> noted = service.get(service.port(), "/health/ready");
            service.server().drain();
            HttpResponse<String> ending = service.get(service.server().adminPort(), "/health/ready");

            assertThat(fine.toString()).isEqualTo("{\"status\":\"ready\",\"notes\":[]}");
            assertThat(noted.statusCode()).isEqualTo(200);
            assertThat(TestService.json(noted).get("notes").get(0).asText())
                    .isEqualTo("the policy files cannot be used: version 1 stays in use");
            assertThat(ending.statusCode()).isEqualTo(503);
            assertThat(TestService.json(ending).get("reason").asText())
                    .isEqualTo("shutting down: finishing requests in progress");
        }
    }

    /** Policies have failure modes for this case. Taking every node out of service would make it worse. */
    @Test
    void unavailableStore_isReportedAndCounted_andTheNodeStaysReady() throws Exception {
        try (RedisServer redis = RedisServer.start();
                TestService service =
                        TestService.start(directory, settings -> settings.withRedis(new RedisUri(redis.uri())))) {
            int admin = service.server().adminPort();
            redis.kill();
            await().atMost(Duration.ofSeconds(60)).until(() -> {
                service.check("ann");
                return service.get(admin, "/metrics").body().contains("rate_limiter_store_up{store=\"redis\"} 0.0");
            });
            HttpResponse<String> ready = service.get(service.port(), "/health/ready");

            assertThat(ready.statusCode()).isEqualTo(200);
            assertThat(TestService.json(ready).get("notes").get(0).asText())
                    .isEqualTo("the store is unavailable: each policy's on_store_failure decides");
            assertThat(service.get(admin, "/metrics").body())
                    .containsPattern("rate_limiter_requests_total\\{decided_by=\"fallback\".*} [1-9]")
                    .containsPattern("rate_limiter_redis_errors_total\\{kind=\"connection\"} [1-9]")
                    .containsPattern("rate_limiter_fallback_seconds_total \\S*[1-9]")
                    .contains("rate_limiter_fallback_mode_total 1.0")
                    .contains("rate_limiter_fallback_active 1.0")
                    .contains("rate_limiter_breaker_state{state=\"closed\"} 0.0");
        }
    }
}
