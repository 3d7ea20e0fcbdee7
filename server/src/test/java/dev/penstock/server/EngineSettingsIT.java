package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Services whose engines have other settings than the defaults, as their callers see them. */
class EngineSettingsIT {
    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    /** @param flags settings and their values, in pairs */
    private ServerSettings settings(String policies, String... flags) throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), policies);
        Map<String, List<String>> given = new HashMap<>();
        for (int i = 0; i < flags.length; i += 2) {
            given.put(flags[i], List.of(flags[i + 1]));
        }
        ServerSettings read = SettingsReader.of(Map.of("PENSTOCK_POLICIES", file.toString()))
                .flags(given)
                .read()
                .settings();
        return TestService.on(
                read.redis() == null ? null : read.redis().text(),
                TestService.settings(file).withEngine(read.engine()));
    }

    private static JsonNode check(PenstockServer server, String user) throws Exception {
        return json(new ServiceClient(server).post("/v1/check", TestService.body(user)));
    }

    private static JsonNode repeat(PenstockServer server) throws Exception {
        return json(
                new ServiceClient(server).post("/v1/check", TestService.body("ann"), "Idempotency-Key", "one-call"));
    }

    private static String decider(PenstockServer server, String user) throws Exception {
        return check(server, user).get("decided_by").asText();
    }

    private static void forgetsAnswers(PenstockServer server) throws Exception {
        assertThat(repeat(server).get("limits").get(0).get("remaining").asInt()).isEqualTo(2);
        await().atMost(LONG)
                .until(() ->
                        repeat(server).get("limits").get(0).get("remaining").asInt() < 2);
    }

    @Test
    void rememberFor_inMemory_thenACallIsDecidedAgain() throws Exception {
        try (PenstockServer server = PenstockServer.start(settings(TestService.POLICIES, "remember_for", "1s"))) {
            forgetsAnswers(server);
        }
    }

    @Test
    void rememberFor_inRedis_thenACallIsDecidedAgain() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(
                        settings(TestService.POLICIES, "redis", redis.uri(), "remember_for", "1s"))) {
            forgetsAnswers(server);
        }
    }

    @Test
    void memoryFull_deniesOrEvictsAsConfigured() throws Exception {
        try (PenstockServer denying = PenstockServer.start(
                settings(TestService.POLICIES, "memory.max_keys", "100", "memory.when_full", "deny"))) {
            assertThat(deniedAsFull(denying)).isPositive();
        }
        try (PenstockServer evicting = PenstockServer.start(settings(TestService.POLICIES, "memory.max_keys", "100"))) {
            assertThat(deniedAsFull(evicting)).isZero();
        }
    }

    private static int deniedAsFull(PenstockServer server) throws Exception {
        int denied = 0;
        for (int i = 0; i < 300; i++) {
            JsonNode answer = check(server, "user-" + i);
            denied += answer.path("reason").asText().equals("store_full") ? 1 : 0;
        }
        return denied;
    }

    @Test
    void outage_afterItsTime_theOtherModeDecides() throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(settings(
                        TestService.POLICIES,
                        "redis",
                        redis.uri(),
                        "outage.local_for",
                        "1s",
                        "outage.then",
                        "closed"))) {
            assertThat(check(server, "ann").get("allowed").asBoolean()).isTrue();
            redis.kill();
            await().atMost(LONG)
                    .until(() -> check(server, "bob").path("reason").asText().equals("store_failed"));
        }
    }

    @Test
    void outage_keepsReportsOfAsManyKeysAsConfigured() throws Exception {
        assertThat(allowedOfASpentKeyInAnOutage("100")).isFalse();
        assertThat(allowedOfASpentKeyInAnOutage("1")).isTrue();
    }

    private boolean allowedOfASpentKeyInAnOutage(String maxKeys) throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(
                        settings(TestService.POLICIES, "redis", redis.uri(), "outage.max_keys", maxKeys))) {
            for (int i = 0; i < 3; i++) {
                check(server, "ann");
            }
            check(server, "bob");
            redis.kill();
            await().atMost(LONG).until(() -> decider(server, "carol").equals("fallback"));
            return check(server, "ann").get("allowed").asBoolean();
        }
    }

    @Test
    void denyCache_holdsAsManyKeysAsConfigured() throws Exception {
        assertThat(deciderOfTheFirstOfTwoDeniedUsers("100")).isEqualTo("deny_cache");
        assertThat(deciderOfTheFirstOfTwoDeniedUsers("1")).isEqualTo("store");
    }

    private String deciderOfTheFirstOfTwoDeniedUsers(String maxKeys) throws Exception {
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(
                        settings(TestService.POLICIES, "redis", redis.uri(), "deny_cache.max_keys", maxKeys))) {
            for (String user : List.of("ann", "bob")) {
                for (int i = 0; i < 4; i++) {
                    check(server, user);
                }
            }
            return decider(server, "ann");
        }
    }
}
