package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The attribute {@code ip}: a client is counted as one, whatever port it connects from. */
class AddressAttributeIT {
    @TempDir
    Path directory;

    private PenstockServer server;

    @BeforeEach
    void start() throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                deny: [ { name: bad, match: { ip: 203.0.113.0/24 } } ]
                policies: [ { name: clients, limits: [ { key: [ip], fixed_window: 2/d } ] } ]
                """);
        server = PenstockServer.start(TestService.settings(policies));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private HttpResponse<String> check(String ip) throws Exception {
        return new ServiceClient(server).post("/v1/check", "{\"attributes\": {\"ip\": \"" + ip + "\"}}");
    }

    private boolean passes(String ip) throws Exception {
        return ServiceClient.json(check(ip)).get("allowed").asBoolean();
    }

    @Test
    void portsOfOneAddress_areOneClient() throws Exception {
        assertThat(passes("192.0.2.7:1001")).isTrue();
        assertThat(passes("192.0.2.7:1002")).isTrue();
        assertThat(passes("192.0.2.7")).isFalse();
        assertThat(passes("[2001:db8::7]:1001")).isTrue();
        assertThat(passes("2001:db8::7")).isTrue();
        assertThat(passes("[2001:db8::7]:1002")).isFalse();
    }

    @Test
    void addressWithAPort_isFoundInLists() throws Exception {
        assertThat(passes("203.0.113.7:51234")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "localhost", "203.0.113", "203.0.113.7:http", "203.0.113.7, 192.0.2.1", "203.0.113.7:1:2"})
    void anythingElse_isRefused_andNamesTheField(String ip) throws Exception {
        HttpResponse<String> response = check(ip);

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(ServiceClient.json(response).get("field").asText()).isEqualTo("attributes.ip");
        try (EnvoyClient envoy = new EnvoyClient(server.port(), "edge")) {
            assertThatThrownBy(() -> envoy.ask(descriptor("ip", ip))).hasMessageContaining("INVALID_ARGUMENT");
        }
    }
}
