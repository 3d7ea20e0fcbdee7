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

/**
 * The one definition of {@code queue}: the permits that may be queued at once, including the one whose turn it is. The
 * rate is slow, so that the test does not depend on the speed of the machine.
 */
class LeakyBucketIT {
    private static final long INTERVAL_MILLIS = 12_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void queueOfFour_letsOneGoAndThreeWait_andDeniesTheFifth(boolean onRedis) throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), """
                version: 1
                policies:
                  - name: partner
                    limits: [ { key: [], leaky_bucket: 5/min, queue: 4 } ]
                """);
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(
                        TestService.on(onRedis ? redis.uri() : null, TestService.settings(file)))) {
            ServiceClient client = new ServiceClient(server);
            List<Long> turns = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                JsonNode allowed = json(client.post("/v1/check", "{\"attributes\": {}}"));
                assertThat(allowed.get("allowed").asBoolean())
                        .as(allowed.toString())
                        .isTrue();
                turns.add(-Math.floorDiv(-allowed.path("delay_ms").asLong(), INTERVAL_MILLIS));
            }
            assertThat(turns).containsExactly(0L, 1L, 2L, 3L);

            JsonNode denied = json(client.post("/v1/check", "{\"attributes\": {}}"));
            assertThat(denied.get("allowed").asBoolean()).isFalse();
            assertThat(denied.get("retry_after_ms").asLong()).isBetween(1L, INTERVAL_MILLIS);
        }
    }
}
