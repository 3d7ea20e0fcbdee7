package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.observe.LogChoices;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Overrides by operators are visible wherever decisions are. */
class AdminOverridesSeenIT {
    private static final String LONG = "x".repeat(200);

    @TempDir
    private Path directory;

    private Path log;
    private PenstockServer server;

    @BeforeEach
    void start() throws Exception {
        Path file = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                deny: [ { name: bad-nets, match: { ip: 203.0.113.0/24 } } ]
                policies:
                  - { name: users, match: { route: /api/** }, limits: [ { key: [user], fixed_window: 5/d } ] }
                """);
        log = directory.resolve("decisions.jsonl");
        server = PenstockServer.start(TestService.settings(file)
                .withObserve(ObserveSettings.DEFAULT.withLog(log, LogChoices.WHOLE, LogChoices.WHOLE)));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private JsonNode check(String attributes) throws Exception {
        return json(new ServiceClient(server)
                .post("/v1/check", "{\"attributes\": {\"route\": \"/api/x\", " + attributes + "}}"));
    }

    private JsonNode post(String path, String body) throws Exception {
        HttpResponse<String> response = ServiceClient.ofAdmin(server).post(path, body);
        assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
        return json(response);
    }

    private JsonNode get(String path) throws Exception {
        return json(ServiceClient.ofAdmin(server).get(path));
    }

    private String metrics() throws Exception {
        return ServiceClient.ofAdmin(server).get("/metrics").body();
    }

    private JsonNode lastLine() throws Exception {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(log).isNotEmptyFile());
        var lines = Files.readAllLines(log);
        return new ObjectMapper().readTree(lines.get(lines.size() - 1));
    }

    @Test
    void denialOfABlockedKey_belongsToItsPolicy() throws Exception {
        post("/admin/keys/block", "{\"policy\": \"users\", \"key\": [\"ann\"], \"for_ms\": 600000}");

        assertThat(check("\"user\": \"ann\"").get("reason").asText()).isEqualTo("blocked");

        JsonNode line = lastLine();
        assertThat(line.get("policy").asText()).isEqualTo("users");
        assertThat(line.get("reason").asText()).isEqualTo("blocked");
        assertThat(line.get("route").asText()).isEqualTo("/api/**");
        assertThat(line.at("/key/0").asText()).isEqualTo("ann");
        JsonNode denied = get("/admin/keys/top").at("/policies/0/denied/0");
        assertThat(denied.at("/key/0").asText())
                .as(get("/admin/keys/top").toString())
                .isEqualTo("ann");
        assertThat(metrics())
                .containsPattern("rate_limiter_blocked_total\\{[^}]*policy=\"users\",route=\"/api/\\*\\*\"[^}]*} 1");
    }

    @Test
    void missingAttribute_isNullInTheLog_notAUserOfThatName() throws Exception {
        check("\"other\": \"x\"");

        JsonNode line = lastLine();
        assertThat(line.get("policy").asText()).isEqualTo("users");
        assertThat(line.at("/key/0").isNull()).as(line.toString()).isTrue();
    }

    @Test
    void shadowForTheService_countsDenialsByListsAndBlocks() throws Exception {
        post("/admin/keys/block", "{\"policy\": \"users\", \"key\": [\"ann\"], \"for_ms\": 600000}");
        post("/admin/shadow", "{\"for_ms\": 600000}");

        assertThat(check("\"user\": \"ann\"").get("allowed").asBoolean()).isTrue();
        assertThat(check("\"user\": \"bob\", \"ip\": \"203.0.113.9\"")
                        .get("allowed")
                        .asBoolean())
                .isTrue();

        assertThat(metrics())
                .containsPattern("rate_limiter_shadow_blocked_total\\{[^}]*policy=\"users\"[^}]*} 1")
                .containsPattern("rate_limiter_shadow_blocked_total\\{[^}]*policy=\"bad-nets\"[^}]*} 1");
        assertThat(lastLine().at("/shadow_denied_by/0").asText()).isEqualTo("bad-nets");
    }

    @Test
    void keyShownAsADigest_canBeBlockedByIt() throws Exception {
        check("\"user\": \"" + LONG + "\"");
        String told = get("/admin/keys/top").at("/policies/0/asked/0/key/0").asText();
        assertThat(told).startsWith("sha256:");

        post("/admin/keys/block", "{\"policy\": \"users\", \"key\": [\"" + told + "\"], \"for_ms\": 600000}");

        assertThat(check("\"user\": \"" + LONG + "\"").get("reason").asText()).isEqualTo("blocked");
        assertThat(check("\"user\": \"" + told + "\"").get("reason").asText())
                .as("another user whose name is the digest")
                .isEqualTo("blocked");
        post("/admin/keys/unblock", "{\"policy\": \"users\", \"key\": [\"" + told + "\"]}");
        assertThat(check("\"user\": \"" + LONG + "\"").get("allowed").asBoolean())
                .isTrue();
    }
}
