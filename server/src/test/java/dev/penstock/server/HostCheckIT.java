package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A web page cannot use the main port under its own host name that it points at the service (DNS rebinding). */
class HostCheckIT {
    @TempDir
    Path directory;

    private static String check(TestService service, String... headers) throws Exception {
        String body = TestService.body("ann");
        try (RawClient client = RawClient.to(service.port())) {
            client.send("POST /v1/check HTTP/1.1\r\n" + String.join("\r\n", headers)
                    + "\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: " + body.length()
                    + "\r\n\r\n" + body);
            return client.all();
        }
    }

    @Test
    void page_mayUseAnAddressOrLocalhost() throws Exception {
        try (TestService service = TestService.start(directory)) {
            assertThat(check(service, "Host: 127.0.0.1:8080", "Origin: http://127.0.0.1:8080"))
                    .startsWith("HTTP/1.1 200");
            assertThat(check(service, "Host: localhost:8080", "Origin: http://localhost:8080"))
                    .startsWith("HTTP/1.1 200");
            assertThat(check(service, "Host: evil.example:8080", "Origin: http://evil.example:8080"))
                    .startsWith("HTTP/1.1 403")
                    .contains("hosts");
            assertThat(check(service, "Host: evil.example:8080", "Sec-Fetch-Site: same-origin"))
                    .startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void page_mayUseAConfiguredName() throws Exception {
        try (TestService service =
                TestService.start(directory, settings -> settings.withHosts(List.of("Penstock.internal")))) {
            assertThat(check(service, "Host: penstock.internal:8080", "Origin: http://penstock.internal:8080"))
                    .startsWith("HTTP/1.1 200");
            assertThat(check(service, "Host: evil.example", "Origin: http://evil.example"))
                    .startsWith("HTTP/1.1 403");
        }
    }

    @Test
    void gatewayOrService_mayUseAnyName() throws Exception {
        try (TestService service = TestService.start(directory)) {
            assertThat(check(service, "Host: penstock.default.svc:8080")).startsWith("HTTP/1.1 200");
        }
    }
}
