package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reset times of one answer agree with each other. */
class HeaderResetIT {
    private static final Pattern T = Pattern.compile(";t=(\\d+)");

    @TempDir
    Path directory;

    private static void assertAgreed(String rateLimit, String reset) {
        Matcher t = T.matcher(rateLimit);
        assertThat(t.find()).as(rateLimit).isTrue();
        assertThat(t.group(1)).as(rateLimit).isEqualTo(reset);
        assertThat(Long.parseLong(reset)).isBetween(1L, 86_400L);
    }

    @Test
    void calendarDay_hasOneReset_howeverMuchIsLeft() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), """
                version: 1
                policies:
                  - name: daily
                    limits: [ { key: [], fixed_window: 1000 per calendar day } ]
                """);
        HeaderSettings delta = new HeaderSettings(true, true, HeaderSettings.Reset.DELTA, true, Duration.ZERO);
        try (PenstockServer server =
                PenstockServer.start(TestService.settings(file).withHeaders(delta))) {
            ServiceClient client = new ServiceClient(server);
            for (int cost : new int[] {0, 1, 300, 699}) {
                JsonNode headers = json(client.post(
                                "/v1/check", "{\"attributes\": {}, \"costs\": {\"requests\": " + cost + "}}"))
                        .get("headers");
                assertAgreed(
                        headers.get("RateLimit").asText(),
                        headers.get("X-RateLimit-Reset").asText());
            }
            HttpResponse<String> gate = client.get("/v1/gate");
            assertAgreed(
                    gate.headers().firstValue("ratelimit").orElseThrow(),
                    gate.headers().firstValue("x-ratelimit-reset").orElseThrow());
        }
    }
}
