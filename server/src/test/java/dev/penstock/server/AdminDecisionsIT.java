package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.penstock.Request;
import dev.penstock.observe.Tail;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stream of live decisions. */
@Timeout(120)
class AdminDecisionsIT {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    Path directory;

    private TestService service;

    @BeforeEach
    void start() throws Exception {
        service = TestService.start(directory);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    /** A client of the stream. */
    private static final class Looker implements AutoCloseable {
        private final HttpResponse<Stream<String>> response;
        private final Iterator<String> lines;

        Looker(TestService service, String query) throws Exception {
            response = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .build()
                    .send(
                            TestService.to(service.server().adminPort(), "/admin/decisions" + query)
                                    .build(),
                            BodyHandlers.ofLines());
            lines = response.body().iterator();
        }

        /** Returns the data of the next event, or null at the end. */
        JsonNode next() throws Exception {
            while (lines.hasNext()) {
                String line = lines.next();
                if (line.startsWith("data: ")) {
                    return JSON.readTree(line.substring("data: ".length()));
                }
            }
            return null;
        }

        @Override
        public void close() {
            response.body().close();
        }
    }

    private void decide(String user, int times) {
        Request request = Request.of("route", "/api/x").with("user", user);
        for (int i = 0; i < times; i++) {
            var unused = service.server().limiter().decide(request);
        }
    }

    @Test
    void decisions_areStreamed_asInTheLog() throws Exception {
        try (Looker looker = new Looker(service, "")) {
            assertThat(looker.response.headers().firstValue("content-type")).contains("text/event-stream");
            assertThat(service.check("ann")).isTrue();
            JsonNode line = looker.next();

            assertThat(line.get("outcome").asText()).isEqualTo("allowed");
            assertThat(line.get("route").asText()).isEqualTo("/api/**");
            assertThat(line.at("/key/0").asText()).isEqualTo("ann");
            assertThat(line.at("/key_type/0").asText()).isEqualTo("user");
        }
    }

    @Test
    void filters_selectDecisions() throws Exception {
        try (Looker denied = new Looker(service, "?outcome=denied&policy=api");
                Looker shadow = new Looker(service, "?outcome=shadow_denied");
                Looker bob = new Looker(service, "?key=bo");
                Looker list = new Looker(service, "?policy=bad")) {
            decide("ann", 4);
            decide("bob", 1);
            var unused = service.server()
                    .limiter()
                    .decide(Request.of("route", "/api/x").with("ip", "203.0.113.9"));

            assertThat(denied.next().get("reason").asText()).isEqualTo("limit_exceeded");
            assertThat(shadow.next().at("/shadow_denied_by/0").asText()).isEqualTo("watched");
            assertThat(bob.next().at("/key/0").asText()).isEqualTo("bob");
            assertThat(list.next().get("policy").asText()).isEqualTo("bad");
        }
    }

    /** A reader that stops reading delays no decision, and the events that it misses are counted. */
    @Test
    void slowReader_getsTheNumberOfDroppedDecisions() throws Exception {
        int all = 60_000;
        try (Looker looker = new Looker(service, "?key=ann")) {
            decide("ann", all);
            int seen = 0;
            long dropped = 0;
            while (seen + dropped < all) {
                JsonNode next = looker.next();
                dropped += next.path("dropped").asLong();
                seen += next.has("outcome") ? 1 : 0;
            }

            assertThat(dropped).isPositive();
            assertThat(seen).isGreaterThanOrEqualTo(1_000);
            assertThat(seen + dropped).isEqualTo(all);
        }
    }

    @Test
    void denialsOfABlockedKey_belongToItsPolicy() throws Exception {
        HttpResponse<String> blocked = ServiceClient.ofAdmin(service.server())
                .post("/admin/keys/block", "{\"policy\": \"api\", \"key\": [\"ann\"], \"for_ms\": 600000}");
        assertThat(blocked.statusCode()).as(blocked.body()).isEqualTo(200);
        try (Looker looker = new Looker(service, "?policy=api&key=ann&outcome=denied")) {
            decide("ann", 1);

            JsonNode told = looker.next();
            assertThat(told.get("reason").asText()).isEqualTo("blocked");
            assertThat(told.at("/key/0").asText()).isEqualTo("ann");
        }
    }

    @Test
    void tooManyStreams_areRefused_untilOneEnds() throws Exception {
        List<Looker> lookers = new ArrayList<>();
        for (int i = 0; i < Tail.MOST; i++) {
            lookers.add(new Looker(service, ""));
        }
        HttpResponse<String> refused = ServiceClient.ofAdmin(service.server()).get("/admin/decisions");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(ServiceClient.json(refused).get("detail").asText())
                .isEqualTo("followers: 16 (expected: fewer than 16 at one time)");

        lookers.get(0).close();
        await().atMost(LONG).until(() -> {
            try (Looker another = new Looker(service, "")) {
                return another.response.statusCode() == 200;
            }
        });
        lookers.forEach(Looker::close);
    }

    @Test
    void closedService_endsStreams_withoutWaiting() throws Exception {
        service.close();
        service = TestService.start(
                directory, settings -> settings.withDrain(new DrainSettings(Duration.ZERO, Duration.ofHours(1))));
        try (Looker looker = new Looker(service, "");
                Looker silent = new Looker(service, "")) {
            decide("ann", 1);
            assertThat(looker.next()).isNotNull();
            CompletableFuture<Void> closing = CompletableFuture.runAsync(service::close);

            assertThat(looker.next()).isNull();
            assertThat(silent.response.statusCode()).isEqualTo(200);
            assertThat(closing).succeedsWithin(LONG);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"outcome=maybe", "user=ann", "policy=a&policy=b"})
    void wrongQuery_namesItsParameter(String query) throws Exception {
        HttpResponse<String> response = ServiceClient.ofAdmin(service.server()).get("/admin/decisions?" + query);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(ServiceClient.json(response).get("field").asText()).isEqualTo(query.replaceFirst("=.*", ""));
    }
}
