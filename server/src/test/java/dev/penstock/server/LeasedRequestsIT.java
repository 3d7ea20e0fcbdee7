package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.penstock.testkit.server.RedisServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A leased policy whose requests also meet limits that Redis decides. */
class LeasedRequestsIT {
    private static final int REQUESTS = 3_000;
    private static final int LIMIT = 2_000;
    private static final int BODIES = 100;

    @TempDir
    Path directory;

    @Test
    void requestsUnderAStrictLimitToo_areLeasedInPart_andTheServiceSaysSo() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), """
                version: 1
                policies:
                  - name: tenant
                    consistency: leased
                    limits: [ { key: [tenant], token_bucket: %d per 1000d } ]
                  - name: users
                    limits: [ { key: [user], fixed_window: 1000000/d } ]
                """.formatted(LIMIT));
        try (RedisServer redis = RedisServer.start();
                PenstockServer server = PenstockServer.start(TestService.on(redis.uri(), TestService.settings(file)))) {
            ServiceClient client = new ServiceClient(server);
            ServiceClient admin = ServiceClient.ofAdmin(server);
            String one = "{\"attributes\": {\"tenant\": \"acme\", \"user\": \"ann\"}}";
            String body = "[" + (one + ", ").repeat(BODIES - 1) + one + "]";
            int allowed = 0;
            for (int i = 0; i < REQUESTS / BODIES; i++) {
                for (JsonNode decision : json(client.post("/v1/check", body))) {
                    allowed += decision.get("allowed").asBoolean() ? 1 : 0;
                    assertThat(decision.get("decided_by").asText()).isNotEqualTo("lease");
                }
            }
            assertThat(allowed).isBetween(LIMIT / 2, LIMIT);
            client.post("/v1/permits", one);

            String metrics = admin.get("/metrics").body();
            assertThat(count(metrics, "rate_limiter_lease_parts_total")).isPositive();
            assertThat(count(metrics, "rate_limiter_lease_skipped_total{reason=\"strict\"}"))
                    .isPositive();
            assertThat(count(metrics, "rate_limiter_lease_skipped_total{reason=\"hold\"}"))
                    .isEqualTo(1);

            JsonNode explained = json(admin.post("/admin/explain", one));
            assertThat(explained.toString())
                    .contains("leased: spent from permits drawn in advance while the key is busy")
                    .contains("decided by Redis, so leasing in tenant saves no round trip");
            assertThat(json(admin.get("/admin/policies")).at("/notes/0/problem").asText())
                    .startsWith("leasing saves no round trip: each request is also under \"users\"");
        }
    }

    private static double count(String metrics, String name) {
        Matcher line = Pattern.compile("^" + Pattern.quote(name) + " (\\S+)$", Pattern.MULTILINE)
                .matcher(metrics);
        assertThat(line.find()).as(name).isTrue();
        return Double.parseDouble(line.group(1));
    }
}
