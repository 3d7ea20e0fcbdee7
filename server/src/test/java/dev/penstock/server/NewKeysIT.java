package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.observe.LogChoices;
import dev.penstock.testkit.server.RedisServer;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service whose callers invent users faster than the setting allows. */
class NewKeysIT {
    private final AtomicInteger users = new AtomicInteger();

    @TempDir
    private Path directory;

    private TestService start(RedisServer redis) throws Exception {
        return TestService.start(
                directory,
                settings -> settings.withRedis(new RedisUri(redis.uri()))
                        .withRedisNewKeys(1)
                        .withDeadline(Duration.ofSeconds(5)));
    }

    /** Sends requests for new users until one is denied. */
    private HttpResponse<String> firstDenial(TestService service) {
        AtomicReference<HttpResponse<String>> last = new AtomicReference<>();
        Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
            String user = "invented" + users.incrementAndGet();
            last.set(service.post(service.port(), "/v1/check", TestService.body(user)));
            return !TestService.json(last.get()).get("allowed").asBoolean();
        });
        return last.get();
    }

    @Test
    void newKeyAboveTheSetting_isDeniedWithItsReason_andCounted() throws Exception {
        try (RedisServer redis = RedisServer.start();
                TestService service = start(redis)) {
            assertThat(service.check("ann")).isTrue();

            JsonNode denied = TestService.json(firstDenial(service));

            assertThat(denied.get("allowed").asBoolean()).isFalse();
            assertThat(denied.get("reason").asText()).isEqualTo("too_many_new_keys");
            assertThat(denied.get("decided_by").asText()).isEqualTo("new_key_budget");
            assertThat(denied.get("retry").asText()).isEqualTo("estimate");
            assertThat(denied.get("retry_after_ms").asLong()).isBetween(1L, 1_000L);
            assertThat(denied.get("headers").get("Retry-After").asText()).isEqualTo("1");
            assertThat(service.check("ann")).as("a user with a key").isTrue();
            String scraped = MetricsIT.scrape(service);
            assertThat(scraped)
                    .contains("rate_limiter_new_keys_denied_total{policy=\"api\"} 1.0")
                    .containsPattern("rate_limiter_new_keys_total\\{policy=\"api\"} [1-9]");
            assertThat(MetricsIT.decisions(scraped, "api", "denied", "new_key_budget"))
                    .isEqualTo(1);
            assertThat(MetricsIT.decisions(scraped, "watched", "denied", "new_key_budget"))
                    .isZero();
        }
    }

    @Test
    void forEnvoy_theDescriptorIsOver_andTheLogNamesThePolicy() throws Exception {
        Path log = directory.resolve("log.jsonl");
        try (RedisServer redis = RedisServer.start();
                TestService service = TestService.start(
                        directory,
                        settings -> settings.withRedis(new RedisUri(redis.uri()))
                                .withRedisNewKeys(1)
                                .withDeadline(Duration.ofSeconds(5))
                                .withObserve(ObserveSettings.DEFAULT.withLog(log, LogChoices.WHOLE, 0)));
                EnvoyClient envoy = new EnvoyClient(service.port(), "edge")) {
            Awaitility.await()
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> !envoy.passes("route", "/api/x", "user", "invented" + users.incrementAndGet()));

            String scraped = MetricsIT.scrape(service);
            assertThat(MetricsIT.decisions(scraped, "api", "denied", "new_key_budget"))
                    .isEqualTo(1);
            assertThat(scraped).contains("rate_limiter_overloaded_total 0.0");
            firstDenial(service);
            Awaitility.await()
                    .untilAsserted(() -> assertThat(Files.readAllLines(log))
                            .anyMatch(line -> line.contains("\"reason\":\"too_many_new_keys\"")
                                    && line.contains("\"policy\":\"api\"")
                                    && line.contains("\"decided_by\":\"new_key_budget\"")));
        }
    }

    @Test
    void off_setsNoMaximum() throws Exception {
        try (RedisServer redis = RedisServer.start();
                TestService service = TestService.start(
                        directory,
                        settings -> settings.withRedis(new RedisUri(redis.uri()))
                                .withRedisNewKeys(null)
                                .withDeadline(Duration.ofSeconds(5)))) {
            for (int i = 0; i < 50; i++) {
                assertThat(service.check("invented" + i)).isTrue();
            }
            assertThat(MetricsIT.scrape(service)).doesNotContain("rate_limiter_new_keys");
        }
    }
}
