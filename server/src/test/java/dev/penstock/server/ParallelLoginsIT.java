package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logins that reserve an attempt, and give it back if the password was right. */
class ParallelLoginsIT {
    private static final String LOGIN =
            "{\"attributes\": {\"route\": \"/login\", \"user\": \"ann\"}, \"hold_ms\": 60000}";

    @TempDir
    Path directory;

    private static JsonNode reserve(ServiceClient client) throws Exception {
        return json(client.post("/v1/permits", LOGIN));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void loginsThatAllSucceed_areNotBlocked_butFailedOnesAre(boolean onRedis) throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), """
                version: 1
                policies:
                  - name: login
                    match: { route: /login }
                    limits: [ { key: [user], sliding_log: 3/min, block_for: 10m } ]
                """);
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(
                        TestService.on(onRedis ? redis.uri() : null, TestService.settings(file)))) {
            ServiceClient client = new ServiceClient(server);
            List<String> inFlight = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                inFlight.add(reserve(client).at("/permit/id").asText());
            }
            assertThat(reserve(client).get("reason").asText()).isEqualTo("limit_exceeded");
            for (String id : inFlight) {
                client.post("/v1/permits/" + id + "/settle", "{\"costs\": {\"requests\": 0}}");
            }

            for (int i = 0; i < 3; i++) {
                JsonNode attempt = reserve(client);
                assertThat(attempt.get("allowed").asBoolean())
                        .as(attempt.toString())
                        .isTrue();
                client.post(
                        "/v1/permits/" + attempt.at("/permit/id").asText() + "/settle",
                        "{\"costs\": {\"requests\": 1}}");
            }
            assertThat(reserve(client).get("reason").asText()).isEqualTo("blocked");
        }
    }
}
