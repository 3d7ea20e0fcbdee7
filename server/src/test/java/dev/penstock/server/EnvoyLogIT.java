package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.hits;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The decision log for Envoy's requests: each request appears once, with the answer that Envoy got. */
class EnvoyLogIT {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String RULES = """
            domain: edge
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: 2 } }
              - { key: user, value: vip, rate_limit: { unlimited: true } }
              - { key: user, value: banned, rate_limit: { unit: day, requests_per_unit: 0 } }
              - { key: watched, shadow_mode: true, rate_limit: { unit: year, requests_per_unit: 1 } }
              - { key: tenant, rate_limit: { unit: year, requests_per_unit: 100 } }
              - { key: model, quota_mode: true, rate_limit: { unit: year, requests_per_unit: 1 } }
            """;

    @TempDir
    private Path directory;

    /** Returns the lines of the log, each shortened to a few words. */
    private List<String> written(List<String> rules, boolean countDenied, Consumer<EnvoyClient> asking)
            throws Exception {
        Path file = directory.resolve("rules.yaml");
        Files.write(file, rules);
        Path log = directory.resolve("decisions.jsonl");
        int all = 1_000_000;
        try (TestService service = TestService.start(
                        directory,
                        settings -> settings.withObserve(ObserveSettings.DEFAULT.withLog(log, all, all))
                                .withEnvoy(new EnvoySettings(
                                        rules.isEmpty() ? List.of() : List.of(file),
                                        SameDomain.REFUSED,
                                        countDenied,
                                        Headers.OFF,
                                        false)));
                EnvoyClient envoy = new EnvoyClient(service.port(), "edge")) {
            asking.accept(envoy);
        }
        List<String> told = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            JsonNode json = JSON.readTree(line);
            String shadow = json.has("shadow_denied_by")
                    ? " but " + json.at("/shadow_denied_by/0").asText()
                    : "";
            told.add(json.get("outcome").asText() + " " + json.path("policy").asText() + shadow);
        }
        return told;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void rules_areLogged_asTheyDecided(boolean countDenied) throws Exception {
        List<String> told = written(RULES.lines().toList(), countDenied, envoy -> {
            envoy.ask(hits(descriptor("user", "ann"), 2), descriptor("tenant", "a"));
            envoy.ask(descriptor("tenant", "a"), descriptor("user", "ann"));
            envoy.ask(descriptor("user", "vip"));
            envoy.ask(descriptor("user", "banned"), descriptor("tenant", "a"));
            envoy.ask(descriptor("nothing", "here"));
            envoy.ask(descriptor("watched", "eve"), descriptor("tenant", "a"));
            envoy.ask(descriptor("watched", "eve"), descriptor("tenant", "a"));
        });

        assertThat(told)
                .containsExactly(
                        "allowed edge/user",
                        "denied edge/user",
                        "allowed edge/user=vip",
                        "denied edge/user=banned",
                        "allowed default",
                        "allowed edge/tenant",
                        "allowed edge/tenant but edge/watched");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void quotas_areDeniedOnlyTogether(boolean countDenied) throws Exception {
        List<String> told = written(RULES.lines().toList(), countDenied, envoy -> {
            envoy.ask(descriptor("model", "one"));
            envoy.ask(descriptor("model", "one"), descriptor("model", "two"));
            envoy.ask(descriptor("model", "one"), descriptor("model", "two"));
        });

        assertThat(told).hasSize(3);
        assertThat(told.get(0)).isEqualTo("allowed edge/model");
        assertThat(told.get(1)).startsWith("allowed edge/model");
        assertThat(told.get(2)).startsWith("denied edge/model");
    }

    @Test
    void policies_andTheirLists_areLogged() throws Exception {
        List<String> told = written(List.of(), false, envoy -> {
            envoy.ask(descriptor("route", "/api/x", "user", "ann"));
            envoy.ask(descriptor("ip", "203.0.113.9"));
            envoy.ask(descriptor("nothing", "here"));
        });

        assertThat(told).containsExactly("allowed api", "denied bad", "allowed default");
    }
}
