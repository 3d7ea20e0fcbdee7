package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The policy files on the admin port, and explanations of requests. */
class AdminPolicyTextIT {
    private static final String PLANS = "version: 1\nplans: { free: { requests: 10/h } }\ndefault_plan: free\n";
    private static final String API = """
            version: 1
            hash_key: { file: KEY }
            policies:
              - name: api
                match: { route: /api/** }
                limits:
                  - { id: plan, key: [tenant], token_bucket: plan.requests }
                  - { id: secret, key: [api_key], token_bucket: 5/h }
            """;

    @TempDir
    Path directory;

    private PenstockServer server;
    private ServiceClient admin;
    private Path api;

    @BeforeEach
    void start() throws Exception {
        Path key = Files.writeString(directory.resolve("key"), "a key that nobody is to see");
        Path policies = Files.createDirectory(directory.resolve("policies"));
        Files.writeString(policies.resolve("plans.yaml"), PLANS);
        api = Files.writeString(policies.resolve("api.yaml"), API.replace("KEY", key.toString()));
        server = PenstockServer.start(TestService.settings(policies));
        admin = ServiceClient.ofAdmin(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private JsonNode post(String path, String body) throws Exception {
        HttpResponse<String> response = admin.post(path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return ServiceClient.json(response);
    }

    @Test
    void source_isTheOneInForce_alsoWhileTheFilesHaveErrors() throws Exception {
        Files.writeString(api, "version: 1\npolicies: 5\n");
        admin.post("/admin/policies/reload", "");
        HttpResponse<String> response = admin.get("/admin/policies/source");
        JsonNode source = ServiceClient.json(response);

        assertThat(source.get("version").asInt()).isEqualTo(1);
        assertThat(source.get("files")).hasSize(2);
        assertThat(source.at("/files/0/name").asText()).isEqualTo(api.toString());
        assertThat(source.at("/files/0/text").asText()).contains("name: api");
        assertThat(source.at("/files/1/text").asText()).isEqualTo(PLANS);
        assertThat(response.body()).doesNotContain("nobody is to see");
    }

    @Test
    void check_returnsErrorsWithTheirPlaces_andChangesNothing() throws Exception {
        JsonNode wrong = post(
                "/admin/policies/check",
                "version: 1\npolicies:\n  - { name: x, limits: [ { key: [user], token_bucket: 0/h } ] }\n");
        JsonNode right = post(
                "/admin/policies/check",
                "version: 1\npolicies: [ { name: x, limits: [ { key: [user], token_bucket: 1/h } ] } ]\n");

        assertThat(wrong.get("valid").asBoolean()).isFalse();
        assertThat(wrong.at("/errors/0/file").asText()).isEqualTo("body");
        assertThat(wrong.at("/errors/0/line").asInt()).isEqualTo(3);
        assertThat(wrong.at("/errors/0/column").asInt()).isPositive();
        assertThat(wrong.at("/errors/0/problem").asText()).contains("expected");
        assertThat(right.get("valid").asBoolean()).isTrue();
        assertThat(right.get("limits").asInt()).isEqualTo(1);
        assertThat(server.policies().version().number()).isEqualTo(1);
        assertThat(ServiceClient.json(admin.get("/admin/policies")).has("failure"))
                .isFalse();
    }

    @Test
    void check_insteadOfAFile_includesTheOtherFiles() throws Exception {
        String text = Files.readString(api);
        String query = "?file=" + URLEncoder.encode(api.toString(), StandardCharsets.UTF_8);

        assertThat(post("/admin/policies/check", text).get("valid").asBoolean())
                .as("alone it has no plans")
                .isFalse();
        assertThat(post("/admin/policies/check" + query, text).get("valid").asBoolean())
                .isTrue();
        assertThat(post("/admin/policies/check?file=" + api.getFileName(), text)
                        .get("valid")
                        .asBoolean())
                .isTrue();
        JsonNode wrong = post("/admin/policies/check" + query, text.replace("5/h", "x/h"));
        assertThat(wrong.at("/errors/0/file").asText()).isEqualTo(api.toString());
        HttpResponse<String> unknown = admin.post("/admin/policies/check?file=other.yaml", text);
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(ServiceClient.json(unknown).get("detail").asText())
                .isEqualTo("file: other.yaml (expected: a policy file in use)");
    }

    @Test
    void explain_returnsMatchesAndKeys_withoutSecrets() throws Exception {
        JsonNode told = post(
                "/admin/explain",
                "{\"attributes\": {\"route\": \"/api/x\", \"tenant\": \"acme\", \"api_key\": \"very-secret\"}}");

        assertThat(told.get("hashes").asText()).isEqualTo("real");
        assertThat(told.get("plan").asText()).isEqualTo("free");
        assertThat(told.at("/policies/0/matches").asBoolean()).isTrue();
        assertThat(told.at("/policies/0/limits/0/key/0/value").asText()).isEqualTo("acme");
        assertThat(told.at("/policies/0/limits/1/key/0/value").asText()).matches("[0-9a-f]{32}");
        assertThat(told.toString()).doesNotContain("very-secret");
        String hashed = told.at("/policies/0/limits/1/key/0/value").asText();
        JsonNode shown =
                post("/admin/keys/show", "{\"policy\": \"api\", \"limit\": \"secret\", \"key\": [\"" + hashed + "\"]}");
        assertThat(shown.at("/limits/0/key/0").asText()).isEqualTo(hashed);
    }

    @Test
    void explain_withAWrongBody_namesTheField() throws Exception {
        HttpResponse<String> peek = admin.post("/admin/explain", "{\"attributes\": {}, \"peek\": true}");

        assertThat(peek.statusCode()).isEqualTo(400);
        assertThat(ServiceClient.json(peek).get("detail").asText())
                .isEqualTo("peek: unknown field (expected: attributes, costs)");
    }
}
