package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The admin port never shows values in clear that policies hash, but accepts them. */
class HiddenValuesIT {
    private static final String SECRET = "sk-live-4711";
    private static final String CHECK = "{\"attributes\": {\"api_key\": \"" + SECRET + "\"}}";
    private static final String KEY = "\"policy\": \"keys\", \"key\": [\"" + SECRET + "\"]";

    @TempDir
    Path directory;

    private PenstockServer server;
    private Path audit;

    @BeforeEach
    void start() throws Exception {
        Path hashKey = Files.writeString(directory.resolve("hash.key"), "a key of enough bytes for tests");
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                secrets: [api_key]
                hash_key: { file: %s }
                policies:
                  - { name: keys, limits: [ { key: [api_key], fixed_window: 5/d } ] }
                """.formatted(hashKey));
        audit = directory.resolve("audit.jsonl");
        ServerSettings settings = TestService.settings(policies);
        server = PenstockServer.start(settings.withAdmin(settings.admin().withAudit(audit))
                .withObserve(settings.observe().withLog(directory.resolve("decisions.jsonl"), 100, 0)));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private String post(String path, String body) throws Exception {
        HttpResponse<String> response = ServiceClient.ofAdmin(server).post(path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return response.body();
    }

    private String get(String path) throws Exception {
        return ServiceClient.ofAdmin(server).get(path).body();
    }

    @Test
    void rawValueOfAHashedAttribute_isBlockedByItsHash_andNeverWritten() throws Exception {
        assertThat(post("/admin/keys/block", "{" + KEY + ", \"for_ms\": 60000}"))
                .isEqualTo("{\"blocked\":1}");

        JsonNode denied = ServiceClient.json(new ServiceClient(server).post("/v1/check", CHECK));
        assertThat(denied.get("reason").asText()).isEqualTo("blocked");
        assertThat(post("/admin/keys/show", "{" + KEY + "}"))
                .contains("\"blocked_by\"")
                .doesNotContain(SECRET);
        assertThat(get("/admin/keys/blocked")).contains("\"keys\"").doesNotContain(SECRET);
        assertThat(get("/admin/audit")).contains("keys.block").doesNotContain(SECRET);
        assertThat(Files.readString(audit)).contains("keys.block").doesNotContain(SECRET);
        post("/admin/keys/unblock", "{" + KEY + "}");
        assertThat(ServiceClient.json(new ServiceClient(server).post("/v1/check", CHECK))
                        .get("allowed")
                        .asBoolean())
                .isTrue();
    }

    @Test
    void watchedValueOfAHashedAttribute_isNotShown() throws Exception {
        String wish = "{\"attribute\": \"api_key\", \"value\": \"" + SECRET + "\", \"for_ms\": 60000}";
        assertThat(post("/admin/log/watch", wish)).contains("(hidden)").doesNotContain(SECRET);
        assertThat(get("/admin/log/watch")).contains("(hidden)").doesNotContain(SECRET);
        assertThat(Files.readString(audit)).doesNotContain(SECRET);
        post("/admin/log/watch", wish.replace("60000", "0"));
        assertThat(get("/admin/log/watch")).contains("\"watched\":[]");
    }
}
