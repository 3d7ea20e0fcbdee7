package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How long callers may hold permits. */
class PermitHoldIT {
    private static final String TWO_HOURS =
            "{\"attributes\": {\"route\": \"/api/x\", \"user\": \"ann\"}, \"costs\": {\"requests\": 0}, \"hold_ms\": 7200000}";

    @TempDir
    Path directory;

    @Test
    void holdAboveTheLongest_isRefused_andHoldsNothing() throws Exception {
        try (TestService service = TestService.start(directory)) {
            HttpResponse<String> response = service.post(service.port(), "/v1/permits", TWO_HOURS);

            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(TestService.json(response).get("field").asText()).isEqualTo("hold_ms");
            assertThat(TestService.json(response).get("detail").asText()).contains("3600000", "permits.longest_hold");
        }
    }

    @Test
    void longestHold_isASetting() throws Exception {
        try (TestService service = TestService.start(
                directory, settings -> settings.withPermits(new PermitSettings(Duration.ofHours(2))))) {
            assertThat(service.post(service.port(), "/v1/permits", TWO_HOURS).statusCode())
                    .isEqualTo(200);
        }
    }
}
