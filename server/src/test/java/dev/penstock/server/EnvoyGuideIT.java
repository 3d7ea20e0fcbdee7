package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.told;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The examples in {@code docs/envoy.md} work as shown. */
class EnvoyGuideIT {
    @TempDir
    private Path directory;

    @Test
    void policies_decideTheRequestsOfTheActions() throws Exception {
        String guide = Files.readString(Path.of("../docs/envoy.md"));
        Matcher policies =
                Pattern.compile("```yaml\n(version: 1\n.*?)```", Pattern.DOTALL).matcher(guide);
        assertThat(policies.find()).isTrue();
        Path file = Files.writeString(directory.resolve("policies.yaml"), policies.group(1));

        try (PenstockServer server = PenstockServer.start(TestService.settings(file));
                EnvoyClient envoy = new EnvoyClient(server.port(), "edge")) {
            assertThat(told(envoy.ask(
                            descriptor("remote_address", "192.0.2.7"),
                            descriptor("route", "/api/users?page=2", "method", "GET", "tenant", "acme"),
                            descriptor("route", "/other", "method", "GET"))))
                    .isEqualTo("OK 49, OK 99, OK");
        }
    }
}
