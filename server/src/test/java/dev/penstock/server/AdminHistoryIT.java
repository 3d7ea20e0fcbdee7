package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.testkit.server.RedisServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The number of decisions in the last seconds. */
class AdminHistoryIT {
    @TempDir
    Path directory;

    private PenstockServer start(RedisServer redis) throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), TestService.POLICIES);
        return PenstockServer.start(
                TestService.settings(file).withRedis(redis == null ? null : new RedisUri(redis.uri())));
    }

    private static JsonNode history(PenstockServer server, String query) throws Exception {
        return ServiceClient.json(ServiceClient.ofAdmin(server).get("/admin/history" + query));
    }

    private static long sum(JsonNode figures) {
        return StreamSupport.stream(figures.spliterator(), false)
                .mapToLong(JsonNode::asLong)
                .sum();
    }

    /** Returns the history as soon as it meets the condition. */
    private static JsonNode when(PenstockServer server, Predicate<JsonNode> isSo) {
        AtomicReference<JsonNode> last = new AtomicReference<>();
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            last.set(history(server, ""));
            return isSo.test(last.get());
        });
        return last.get();
    }

    private static void check(PenstockServer server, int times) throws Exception {
        for (int i = 0; i < times; i++) {
            new ServiceClient(server).post("/v1/check", TestService.body("ann"));
        }
    }

    @Test
    void history_hasDecisionsByPolicy_ofCompleteSeconds() throws Exception {
        try (PenstockServer server = start(null)) {
            check(server, 5);
            JsonNode told = when(server, history -> sum(history.at("/total/denied")) == 2);

            assertThat(told.get("node").asText()).endsWith(":" + server.port());
            long now = Instant.parse(told.get("now").asText()).getEpochSecond();
            assertThat(told.get("from").asLong() + told.get("count").asInt()).isBetween(now - 1, now);
            assertThat(told.at("/total/allowed")).hasSize(told.get("count").asInt());
            assertThat(sum(told.at("/total/allowed"))).isEqualTo(3);
            assertThat(sum(told.at("/total/shadow_denied"))).isEqualTo(4);
            assertThat(sum(told.at("/policies/api/denied"))).isEqualTo(2);
            assertThat(sum(told.at("/policies/watched/shadow_denied"))).isEqualTo(4);
            assertThat(told.get("store").isNull()).isTrue();
            assertThat(sum(told.get("fallback"))).isZero();

            long last = told.get("from").asLong() + told.get("count").asInt() - 1;
            JsonNode later = history(server, "?since=" + last);
            assertThat(later.get("from").asLong()).isEqualTo(last + 1);
            assertThat(later.get("policies")).isEmpty();
            assertThat(history(server, "?since=999999999999").get("count").asInt())
                    .isZero();
        }
    }

    @Test
    void history_onRedis_hasRoundTrips_andSecondsInFallback() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = start(redis)) {
            check(server, 1);
            JsonNode told = when(server, history -> sum(history.at("/total/allowed")) == 1);
            assertThat(sum(told.at("/store/trips"))).isPositive();
            assertThat(sum(told.at("/store/mean_us"))).isPositive();
            assertThat(sum(told.at("/store/slowest_us"))).isGreaterThanOrEqualTo(sum(told.at("/store/mean_us")));

            redis.kill();
            check(server, 1);
            told = when(server, history -> sum(history.get("fallback")) > 0);
            assertThat(told.get("fallback")).hasSize(told.get("count").asInt());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"since=x", "since=-1", "since=1.5", "since=", "since=1&since=2", "until=1"})
    void wrongQuery_namesItsParameter(String query) throws Exception {
        try (PenstockServer server = start(null)) {
            HttpResponse<String> response = ServiceClient.ofAdmin(server).get("/admin/history?" + query);

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(ServiceClient.json(response).get("field").asText()).isEqualTo(query.replaceFirst("=.*", ""));
        }
    }
}
