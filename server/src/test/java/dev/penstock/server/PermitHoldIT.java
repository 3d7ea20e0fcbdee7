package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.testkit.server.RedisServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How long callers may hold permits. */
class PermitHoldIT {
    private static final String TWO_HOURS =
            "{\"attributes\": {\"route\": \"/api/x\", \"user\": \"ann\"}, \"costs\": {\"requests\": 0}, \"hold_ms\": 7200000}";

    @TempDir
    Path directory;

    @Test
    void tooLongHold_isRefused_andHoldsNothing() throws Exception {
        try (TestService service = TestService.start(directory)) {
            HttpResponse<String> response = service.post(service.port(), "/v1/permits", TWO_HOURS);

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(TestService.json(response).get("field").asText()).isEqualTo("hold_ms");
            assertThat(TestService.json(response).get("detail").asText()).contains("3600000", "permits.longest_hold");
        }
    }

    /** 400 of 1,000 an hour take 24 minutes to come back, from the time when the hold expires. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void reservation_resetsAfterItsHoldExpires_andItsCostHasComeBack(boolean onRedis) throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), """
                version: 1
                policies:
                  - name: api
                    limits: [ { key: [], token_bucket: 1000/h } ]
                """);
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(
                        TestService.on(onRedis ? redis.uri() : null, TestService.settings(file)))) {
            JsonNode limit = ServiceClient.json(new ServiceClient(server)
                            .post(
                                    "/v1/permits",
                                    "{\"attributes\": {}, \"costs\": {\"requests\": 400}, \"hold_ms\": 60000}"))
                    .at("/limits/0");
            assertThat(limit.get("remaining").asLong()).isEqualTo(600);
            assertThat(limit.get("reset_after_ms").asLong()).isEqualTo(60_000 + 24 * 60_000);
        }
    }

    @Test
    void longestHold_isConfigurable() throws Exception {
        try (TestService service = TestService.start(
                directory, settings -> settings.withPermits(new PermitSettings(Duration.ofHours(2))))) {
            assertThat(service.post(service.port(), "/v1/permits", TWO_HOURS).statusCode())
                    .isEqualTo(200);
        }
    }
}
