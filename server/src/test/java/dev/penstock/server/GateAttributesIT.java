package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attributes that a gateway's call takes from headers, cookies and claims. */
class GateAttributesIT {
    private static final String POLICIES = """
            version: 1
            attributes: [user, session]
            policies:
              - { name: users, match: { user: { present: true } }, limits: [ { key: user, fixed_window: 1/d } ] }
              - { name: sessions, match: { session: { present: true } }, limits: [ { key: session, fixed_window: 1/d } ] }
            """;

    @TempDir
    Path directory;

    private PenstockServer server;
    private ServiceClient client;

    @BeforeEach
    void start() throws Exception {
        Path file = Files.writeString(directory.resolve("p.yaml"), POLICIES);
        server = PenstockServer.start(TestService.settings(file)
                .withGate(new GateSettings(
                        GateSettings.DEFAULT.deniedStatus(),
                        GateSettings.DEFAULT.requestHeaders(),
                        Map.of("cookie:session", "session", "claim:x-jwt-payload/sub", "user"),
                        Duration.ZERO)));
        client = new ServiceClient(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int status(String... headers) throws Exception {
        HttpRequest.Builder request = client.to("/v1/gate");
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return client.send(request).statusCode();
    }

    private static String base64(String json) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void cookie_isAnAttribute() throws Exception {
        assertThat(status("cookie", "theme=dark; session=a1; lang=en")).isEqualTo(200);
        assertThat(status("cookie", "session=a1")).isEqualTo(429);
        assertThat(status("cookie", "session=b2")).isEqualTo(200);
        assertThat(status("cookie", "Session=a1; theme=dark"))
                .as("another name")
                .isEqualTo(200);
        assertThat(status("cookie", "session=c3; session=a1"))
                .as("the first counts")
                .isEqualTo(200);
    }

    @Test
    void claim_isAnAttribute_plainOrInBase64() throws Exception {
        String json = "{\"iss\": \"me\", \"nested\": {\"sub\": \"no\"}, \"sub\": \"ann\", \"aud\": [\"x\"]}";
        assertThat(status("x-jwt-payload", json)).isEqualTo(200);
        assertThat(status("x-jwt-payload", base64(json))).isEqualTo(429);
        assertThat(status("x-jwt-payload", base64("{\"sub\": \"jürgen?>\"}"))).isEqualTo(200);
        assertThat(status("x-jwt-payload", base64("{\"sub\": \"jürgen?>\"}"))).isEqualTo(429);
        assertThat(status("x-jwt-payload", "{\"sub\": 17}")).isEqualTo(200);
        assertThat(status("x-jwt-payload", "{\"sub\": \"17\"}")).isEqualTo(429);
    }

    /** Each of these is sent twice, and would be denied if it had a user. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"sub\": \"ann\"",
                "{\"sub\": \"ann\"} x",
                "{\"sub\": \"ann\", \"sub\": \"bob\"}",
                "{\"sub\": [\"ann\"]}",
                "{\"sub\": null}",
                "{\"name\": \"ann\"}",
                "[\"ann\"]",
                "not base64!",
                "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm4ifQ.c2ln",
                "DEEP",
                "LONG"
            })
    void malformedPayload_isNoAttribute(String payload) throws Exception {
        String sent = payload.equals("DEEP")
                ? "{\"sub\": \"ann\", \"x\": " + "[".repeat(100) + "]".repeat(100) + "}"
                : payload.equals("LONG") ? "{\"sub\": \"ann\", \"x\": \"" + "y".repeat(16_000) + "\"}" : payload;

        assertThat(status("x-jwt-payload", sent)).isEqualTo(status("x-jwt-payload", sent));
    }

    /** One of two headers may be the client's. */
    @Test
    void claimHeaderSentTwice_isNoAttribute() throws Exception {
        for (int i = 0; i < 3; i++) {
            assertThat(status("x-jwt-payload", "{\"sub\": \"eve\"}", "x-jwt-payload", "{\"sub\": \"ann\"}"))
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "claim:authorization/sub=user | a header that the gateway sets after it has verified the token, not authorization,",
                "claim:Cookie/sub=user | a header that the gateway sets after it has verified the token, not cookie,",
                "claim:x-jwt-payload=user | a claim such as claim:x-jwt-payload/sub",
                "cookie:=user | a cookie such as cookie:session",
                "cookie:a b=user | a cookie such as cookie:session",
                "x tenant=user | a header such as x-tenant",
                "x-tenant | SOURCE=ATTRIBUTE",
            })
    void setting_namesWhatWasExpected(String attributes, String expected) {
        Map<String, String> variables = Map.of("PENSTOCK_GATE_ATTRIBUTES", attributes);
        assertThatThrownBy(() -> SettingsReader.of(variables).read())
                .isInstanceOf(SettingErrors.class)
                .hasMessageContaining("PENSTOCK_GATE_ATTRIBUTES")
                .hasMessageContaining(expected);
    }
}
