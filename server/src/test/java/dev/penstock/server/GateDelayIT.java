package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Request;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leaky buckets at the gate: the answer waits for its turn. */
class GateDelayIT {
    @TempDir
    Path directory;

    private PenstockServer start(String rate, Duration longestDelay) throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), """
                version: 1
                policies:
                  - { name: shaped, limits: [ { key: [], leaky_bucket: RATE, queue: 10 } ] }
                """.replace("RATE", rate));
        return PenstockServer.start(TestService.settings(file)
                .withGate(new GateSettings(
                        GateSettings.DEFAULT.deniedStatus(),
                        GateSettings.DEFAULT.requestHeaders(),
                        Map.of(),
                        longestDelay)));
    }

    private static HttpResponse<String> gate(PenstockServer server) throws Exception {
        ServiceClient client = new ServiceClient(server);
        return client.send(client.to("/v1/gate"));
    }

    @Test
    void answer_waitsForItsTurn() throws Exception {
        try (PenstockServer server = start("2/s", Duration.ofSeconds(9))) {
            Instant start = now(server);
            for (int i = 0; i < 3; i++) {
                assertThat(gate(server).statusCode()).isEqualTo(200);
            }
            assertThat(Duration.between(start, now(server))).isGreaterThanOrEqualTo(Duration.ofMillis(950));
        }
    }

    /** The service's own clock. */
    private static Instant now(PenstockServer server) {
        return server.limiter().peek(Request.of("route", "/")).madeAt();
    }

    @Test
    void requestThatWouldWaitLonger_isDenied_andNotCharged() throws Exception {
        try (PenstockServer server = start("6/min", Duration.ofSeconds(5))) {
            assertThat(gate(server).statusCode()).isEqualTo(200);

            for (int i = 0; i < 5; i++) {
                HttpResponse<String> denied = gate(server);
                assertThat(denied.statusCode()).isEqualTo(429);
                assertThat(Integer.parseInt(
                                denied.headers().firstValue("retry-after").orElse("0")))
                        .isBetween(1, 10);
                assertThat(json(denied).get("violated-policies").get(0).asText())
                        .isEqualTo("shaped");
            }
        }
    }

    @Test
    void byDefault_nothingIsDelayed() throws Exception {
        try (PenstockServer server = start("1/h", GateSettings.DEFAULT.longestDelay())) {
            assertThat(gate(server).statusCode()).isEqualTo(200);
            assertThat(gate(server).statusCode()).isEqualTo(429);
        }
    }
}
