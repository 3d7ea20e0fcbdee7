package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.server.internal.metrics.CandidateMeters;
import dev.penstock.testkit.LogLines;
import dev.penstock.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Candidates as callers and operators see them. */
class CandidatesIT {
    private static final String POLICIES = """
            version: 1
            policies:
              - { name: api, match: { route: /api/** }, limits: [ { key: [user], fixed_window: 10/d } ] }
              - { name: api-next, candidate_of: api, limits: [ { key: [user], fixed_window: 7/d } ] }
            """;

    @TempDir
    Path directory;

    private static int allowed(PenstockServer server, int requests) throws Exception {
        int allowed = 0;
        for (int i = 0; i < requests; i++) {
            JsonNode answer = json(new ServiceClient(server).post("/v1/check", TestService.body("ann")));
            allowed += answer.get("allowed").asBoolean() ? 1 : 0;
        }
        return allowed;
    }

    private static void awaitCandidates(PenstockServer server, String expected) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> assertThat(json(ServiceClient.ofAdmin(server).get("/admin/candidates"))
                                        .get("candidates")
                                        .toString())
                                .isEqualTo(expected));
    }

    private static String candidate(String name, int same, int stricter, int looser) {
        return "{\"policy\":\"" + name + "\",\"candidate_of\":\"api\",\"compared\":" + (same + stricter + looser)
                + ",\"same\":" + same + ",\"stricter\":" + stricter + ",\"looser\":" + looser + "}";
    }

    @Test
    void stricterCandidate_deniesNobody_andIsReported() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), POLICIES);
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(TestService.on(redis.uri(), TestService.settings(file)))) {
            assertThat(allowed(server, 12)).isEqualTo(10);

            awaitCandidates(server, "[" + candidate("api-next", 9, 3, 0) + "]");
            assertThat(ServiceClient.ofAdmin(server).get("/metrics").body())
                    .contains(
                            "rate_limiter_candidate_requests_total{candidate_of=\"api\",policy=\"api-next\",result=\"stricter\"} 3.0")
                    .contains(
                            "rate_limiter_candidate_requests_total{candidate_of=\"api\",policy=\"api-next\",result=\"same\"} 9.0")
                    .contains(
                            "rate_limiter_candidate_requests_total{candidate_of=\"api\",policy=\"api-next\",result=\"looser\"} 0.0");
        }
    }

    @Test
    void candidateAddedAtRuntime_isCompared() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), POLICIES.replaceAll("(?m)^.*api-next.*\n", ""));
        try (PenstockServer server = PenstockServer.start(TestService.settings(file))) {
            awaitCandidates(server, "[]");
            Files.writeString(file, POLICIES.replace("7/d", "15/d").replace("api-next", "api-more"));
            server.reload();

            assertThat(allowed(server, 16)).isEqualTo(10);
            awaitCandidates(server, "[" + candidate("api-more", 11, 0, 5) + "]");
            assertThat(ServiceClient.ofAdmin(server).get("/metrics").body())
                    .contains(
                            "rate_limiter_candidate_requests_total{candidate_of=\"api\",policy=\"api-more\",result=\"looser\"} 5.0");
        }
    }

    @Test
    void serviceInShadowMode_comparesWithWhatTheLivePolicyWouldDeny() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), POLICIES);
        try (PenstockServer server = PenstockServer.start(TestService.settings(file))) {
            ServiceClient.ofAdmin(server).post("/admin/shadow", "{\"for_ms\": 600000}");

            assertThat(allowed(server, 12)).isEqualTo(12);
            awaitCandidates(server, "[" + candidate("api-next", 9, 3, 0) + "]");
        }
    }

    @Test
    void difference_isLoggedOnceAMinute() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), POLICIES);
        try (LogLines log = LogLines.of(CandidateMeters.class);
                PenstockServer server = PenstockServer.start(TestService.settings(file))) {
            assertThat(allowed(server, 12)).isEqualTo(10);

            awaitCandidates(server, "[" + candidate("api-next", 9, 3, 0) + "]");
            assertThat(log.all())
                    .containsExactly("INFO the candidate api-next differs from api: of 8 requests since this node"
                            + " started, it would deny 1 that api allowed, and allow 0 that api denied");
        }
    }

    /** A candidate that gets no room says nothing about its numbers. */
    @Test
    void candidateWithoutRoomForNewKeys_isNotStricter() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), POLICIES);
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(
                        TestService.on(redis.uri(), TestService.settings(file)).withRedisNewKeys(1))) {
            ServiceClient client = new ServiceClient(server);
            AtomicInteger users = new AtomicInteger();
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
                String user = "invented" + users.incrementAndGet();
                return json(client.post("/v1/check", TestService.body(user)))
                        .path("reason")
                        .asText()
                        .equals("too_many_new_keys");
            });
            assertThat(ServiceClient.ofAdmin(server).get("/metrics").body())
                    .contains(
                            "rate_limiter_candidate_requests_total{candidate_of=\"api\",policy=\"api-next\",result=\"stricter\"} 0.0");
        }
    }

    @Test
    void envoysDescriptors_areComparedOneByOne() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), """
                version: 1
                policies:
                  - { name: api, match: { descriptor: user }, limits: [ { key: [user], fixed_window: 5/d } ] }
                  - { name: api-next, candidate_of: api, limits: [ { key: [user], fixed_window: 3/d } ] }
                """);
        try (PenstockServer server = PenstockServer.start(TestService.settings(file));
                EnvoyClient envoy = new EnvoyClient(server.port(), "edge")) {
            for (int i = 0; i < 7; i++) {
                envoy.ask(descriptor("user", "ann"), descriptor("user", "u" + i), descriptor("other", "x"));
            }

            // Ann: three the same, two stricter, two the same. The others: five; two requests were denied without them.
            awaitCandidates(server, "[" + candidate("api-next", 10, 2, 0) + "]");
        }
    }
}
