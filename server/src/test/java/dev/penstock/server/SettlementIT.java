package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A settlement reports the amount that was charged. */
class SettlementIT {
    private static final String POLICIES = """
            version: 1
            policies:
              - name: api
                limits: [ { key: [user], token_bucket: 1000/h } ]
            """;

    @TempDir
    Path directory;

    private static String body(long cost) {
        return "{\"attributes\": {\"user\": \"ann\"}, \"costs\": {\"requests\": " + cost + "}}";
    }

    private static String settle(ServiceClient client, JsonNode reserved, long cost) throws Exception {
        return client.post(
                        "/v1/permits/" + reserved.at("/permit/id").asText() + "/settle",
                        "{\"costs\": {\"requests\": " + cost + "}}")
                .body();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void settlingAboveTheDebt_reportsWhatWasCharged(boolean onRedis) throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), POLICIES);
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(
                        TestService.on(onRedis ? redis.uri() : null, TestService.settings(file)))) {
            ServiceClient client = new ServiceClient(server);
            JsonNode reserved = json(client.post("/v1/permits", body(400)));

            String settled = settle(client, reserved, 5_000);

            assertThat(settled).contains("\"settled\":{\"requests\":5000}").contains("\"charged\":{\"requests\":2000}");
            assertThat(settle(client, reserved, 1)).isEqualTo(settled);
            long wait = json(client.post("/v1/check", body(1)))
                    .get("retry_after_ms")
                    .asLong();
            assertThat(wait).isBetween(3_500_000L, 3_603_600L); // 1,001 permits at 1,000 an hour
        }
    }
}
