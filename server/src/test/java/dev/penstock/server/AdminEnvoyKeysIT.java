package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.told;
import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operators show, reset and block keys that rules for Envoy count. */
class AdminEnvoyKeysIT {
    private static final String ANN = "\"domain\": \"edge\", \"descriptor\": [{\"key\": \"user\", \"value\": \"ann\"}]";
    private static final String PATH =
            "\"domain\": \"edge\", \"descriptor\": [{\"key\": \"path\", \"value\": \"/a\"}, {\"key\": \"user\", \"value\": \"ann\"}]";

    @TempDir
    private Path directory;

    private PenstockServer service;
    private ServiceClient admin;
    private EnvoyClient envoy;

    @BeforeEach
    void start() throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), "version: 1\npolicies: []\n");
        Path rules = Files.writeString(directory.resolve("rules.yaml"), """
                domain: edge
                descriptors:
                  - { key: user, rate_limit: { unit: year, requests_per_unit: 2 } }
                  - { key: user, value: banned, rate_limit: { unit: year, requests_per_unit: 0 } }
                  - key: path
                    value: /a
                    descriptors: [ { key: user, rate_limit: { unit: year, requests_per_unit: 5 } } ]
                """);
        int all = 1_000_000;
        service = PenstockServer.start(TestService.settings(policies)
                .withEnvoy(new EnvoySettings(List.of(rules), SameDomain.REFUSED, false, Headers.OFF, false))
                .withObserve(ObserveSettings.DEFAULT.withLog(directory.resolve("decisions.jsonl"), all, all)));
        admin = ServiceClient.ofAdmin(service);
        envoy = new EnvoyClient(service.port(), "edge");
    }

    @AfterEach
    void stop() {
        envoy.close();
        service.close();
    }

    private String askAnn() {
        return told(envoy.ask(descriptor("user", "ann")));
    }

    private JsonNode post(String path, String body) throws Exception {
        return json(admin.post(path, "{" + body + "}"));
    }

    @Test
    void show_returnsTheStateOfTheRule_andChargesNothing() throws Exception {
        askAnn();
        envoy.ask(descriptor("path", "/a", "user", "ann"));

        for (int i = 0; i < 3; i++) {
            JsonNode shown = post("/admin/keys/show", ANN).get("limits");
            assertThat(shown).hasSize(1);
            assertThat(shown.at("/0/policy").asText()).isEqualTo("edge/user");
            assertThat(shown.at("/0/parts").toString()).isEqualTo("[\"user\"]");
            assertThat(shown.at("/0/key").toString()).isEqualTo("[\"ann\"]");
            assertThat(shown.at("/0/remaining").asInt()).isEqualTo(1);
        }
        JsonNode nested = post("/admin/keys/show", PATH);
        assertThat(nested.at("/limits/0/policy").asText()).isEqualTo("edge/path=%2Fa/user");
        assertThat(nested.at("/limits/0/parts").toString()).isEqualTo("[\"path\",\"user\"]");
        assertThat(nested.at("/limits/0/remaining").asInt()).isEqualTo(4);
    }

    @Test
    void reset_freesTheKey() throws Exception {
        askAnn();
        askAnn();
        assertThat(askAnn()).isEqualTo("OVER_LIMIT 0");

        assertThat(post("/admin/keys/reset", ANN).get("reset").asInt()).isEqualTo(1);

        assertThat(askAnn()).isEqualTo("OK 1");
    }

    @Test
    void block_denies_andIsLoggedAsABlock_untilItIsLifted() throws Exception {
        assertThat(post("/admin/keys/block", ANN + ", \"for_ms\": 600000")
                        .get("blocked")
                        .asInt())
                .isEqualTo(1);

        assertThat(askAnn()).isEqualTo("OVER_LIMIT");
        assertThat(told(envoy.ask(descriptor("user", "bob")))).isEqualTo("OK 1");
        assertThat(post("/admin/keys/show", ANN).at("/limits/0/blocked").asBoolean())
                .isTrue();
        JsonNode blocked = json(admin.get("/admin/keys/blocked")).get("blocked").get(0);
        assertThat(blocked.get("policy").asText()).isEqualTo("edge/user");
        assertThat(blocked.get("parts").toString()).isEqualTo("[\"user\"]");
        post("/admin/keys/unblock", ANN);
        assertThat(askAnn()).isEqualTo("OK 1");
        service.close();
        assertThat(Files.readAllLines(directory.resolve("decisions.jsonl")))
                .filteredOn(line -> line.contains("\"outcome\":\"denied\""))
                .singleElement()
                .asString()
                .contains(
                        "\"reason\":\"blocked\"",
                        "\"policy\":\"edge/user\"",
                        "\"key_type\":[\"user\"]",
                        "\"key\":[\"ann\"]");
    }

    @Test
    void topKeys_nameTheirParts() throws Exception {
        askAnn();
        JsonNode top = json(admin.get("/admin/keys/top")).at("/policies/0");
        assertThat(top.get("policy").asText()).isEqualTo("edge/user");
        assertThat(top.at("/asked/0/parts").toString()).isEqualTo("[\"user\"]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "\"domain\": \"edge\" | descriptor | nothing (expected: domain and descriptor)",
                "\"descriptor\": [{\"key\": \"user\"}] | domain | nothing (expected: domain and descriptor)",
                "\"domain\": \"edge\", \"descriptor\": [] | descriptor | an empty list (expected: at least one key)",
                "\"domain\": \"edge\", \"descriptor\": [{\"value\": \"x\"}] | descriptor[0].key | nothing (expected: a text)",
                "\"domain\": \"edge\", \"descriptor\": [{\"key\": \"device\", \"value\": \"x\"}] | descriptor | counted by no rule (expected: keys and values that a rule counts)",
                "\"domain\": \"edge\", \"descriptor\": [{\"key\": \"user\", \"value\": \"banned\"}] | descriptor | counted by no rule (expected: keys and values that a rule counts)",
                "\"domain\": \"core\", \"descriptor\": [{\"key\": \"user\", \"value\": \"x\"}] | descriptor | counted by no rule (expected: keys and values that a rule counts)",
                "\"domain\": \"edge\", \"descriptor\": [{\"key\": \"user\"}], \"policy\": \"p\" | policy | given together with domain (expected: attributes, or policy, limit and key, or domain and descriptor)",
            })
    void badSelection_namesWhatWasExpected(String body, String field, String problem) throws Exception {
        JsonNode answer = post("/admin/keys/reset", body);

        assertThat(answer.get("status").asInt()).isEqualTo(400);
        assertThat(answer.get("field").asText()).isEqualTo(field);
        assertThat(answer.get("detail").asText()).contains(problem);
    }
}
