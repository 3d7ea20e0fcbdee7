package dev.penstock.server;

import static dev.penstock.server.ServiceClient.json;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The service over real sockets, with the JDK's client. */
class PenstockServerIT {
    @TempDir
    private Path directory;

    private Path file;
    private PenstockServer server;

    @BeforeEach
    void start() throws Exception {
        file = directory.resolve("policies.yaml");
        Files.writeString(file, """
                version: 1
                deny: [ { name: bad, match: { ip: 203.0.113.0/24 } } ]
                policies:
                  - name: api
                    match: { route: /api/** }
                    limits:
                      - { key: [user], token_bucket: 3/h }
                      - { key: [user], unit: tokens, token_bucket: 1000/h, cost: 10, expose: false }
                  - name: jobs
                    match: { route: /jobs }
                    limits: [ { key: [user], concurrency: 1, ttl: 1m } ]
                """);
        server = PenstockServer.start(settings());
    }

    private ServerSettings settings() {
        return TestService.settings(file)
                .withAdmin(new AdminSettings(new ListenAddress("127.0.0.1", 0)))
                .withAddress(new AddressSettings(AddressSettings.Header.X_FORWARDED_FOR, 1, List.of()));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ServiceClient client() {
        return new ServiceClient(server);
    }

    private HttpRequest.Builder to(String path) {
        return client().to(path);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client().send(request);
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return client().post(path, body);
    }

    private static String api(String user) {
        return "{\"attributes\": {\"route\": \"/api/x\", \"user\": \"" + user + "\"}}";
    }

    @Test
    void check_returnsTheDecision_andTheHeadersForTheClient() throws Exception {
        JsonNode first = json(post("/v1/check", api("ann")));
        post("/v1/check", api("ann"));
        post("/v1/check", api("ann"));
        HttpResponse<String> response = post("/v1/check", api("ann"));
        JsonNode fourth = json(response);

        assertThat(first.get("allowed").asBoolean()).isTrue();
        assertThat(first.get("limits").get(0).get("remaining").asInt()).isEqualTo(2);
        assertThat(first.get("policies").get("version").asInt()).isEqualTo(1);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(fourth.get("allowed").asBoolean()).isFalse();
        assertThat(fourth.get("reason").asText()).isEqualTo("limit_exceeded");
        assertThat(fourth.get("retry_after_ms").asLong()).isBetween(1L, 1_200_000L);
        assertThat(fourth.get("headers").get("RateLimit").asText())
                .contains("\"api")
                .contains("r=0");
        assertThat(fourth.get("headers").get("Retry-After").asInt()).isBetween(1, 1_200);
        assertThat(fourth.get("headers").toString()).as("the hidden limit").doesNotContain("tokens");
        assertThat(json(post("/v1/check", api("bob"))).get("allowed").asBoolean())
                .isTrue();
    }

    @Test
    void check_peek_chargesNothing() throws Exception {
        for (int i = 0; i < 5; i++) {
            String peek = api("ann").replace("{\"attributes\"", "{\"peek\": true, \"attributes\"");
            assertThat(json(post("/v1/check", peek)).get("allowed").asBoolean()).isTrue();
        }
    }

    @Test
    void check_list_decidesEachSeparately() throws Exception {
        String four = "[" + String.join(",", api("ann"), api("ann"), api("ann"), api("ann"), api("bob")) + "]";

        JsonNode all = json(post("/v1/check", four));

        assertThat(all.findValuesAsText("allowed")).containsExactly("true", "true", "true", "false", "true");
    }

    @Test
    void check_listWithTooManyLimitsInOneRequest_chargesNone() throws Exception {
        StringBuilder many = new StringBuilder(Files.readString(file));
        for (int i = 0; i < 65; i++) {
            many.append("  - { name: many")
                    .append(i)
                    .append(", match: { route: /many }, limits: [ { key: [user], token_bucket: 3/h } ] }\n");
        }
        Files.writeString(file, many);
        server.reload();

        HttpResponse<String> refused =
                post("/v1/check", "[" + api("ann") + "," + api("ann").replace("/api/x", "/many") + "]");

        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(400);
        assertThat(json(refused).get("detail").asText())
                .isEqualTo("[1]: limits and blocks that apply to the request: 65 (expected: at most 64)");
        assertThat(json(post("/v1/check", api("ann"))).at("/limits/0/remaining").asInt())
                .isEqualTo(2);
    }

    @Test
    void check_listWithOneBadRequest_chargesNone() throws Exception {
        String tooMany = "{\"attributes\": {\"route\": \"/jobs\", \"user\": \"ann\"}, \"costs\": {\"slots\": 5000}}";

        HttpResponse<String> refused = post("/v1/check", "[" + api("ann") + "," + tooMany + "]");

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(json(refused).get("detail").asText()).startsWith("[1].costs.slots: 5000 (expected: ");
        assertThat(json(post("/v1/check", api("ann"))).at("/limits/0/remaining").asInt())
                .isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{}                                                    | attributes: nothing",
                "[]{}                                                  | extra content",
                "{\"attributes\": {\"user\": 7}}                       | attributes.user: a number (expected: a text)",
                "{\"attributes\": {}, \"cost\": {}}                    | cost: unknown field",
                "{\"attributes\": {}, \"costs\": {\"requests\": -1}}   | costs.requests: -1 (expected: a whole number",
                "{\"attributes\": {}, \"costs\": {\"requests\": 1.5}}  | costs.requests: 1.5 (expected: a whole number",
                "{\"attributes\": {}, \"costs\": {\"requests\": 99999999999999999999}} | costs.requests",
                "{\"attributes\": {\"a\": \"1\", \"a\": \"2\"}}        | a: twice at line 1, column 30",
                "{\"attributes\": {\"a\": {\"b\": 1}}}                 | attributes.a: an object",
                "not json                                              | not JSON at line 1, column 1",
                "{\"attributes\": {\"a\": NaN}}                        | not JSON at line 1, column ",
                "{\"attributes\": {} /* none */}                       | not JSON at line 1, column ",
                "{\"attributes\": {}, \"costs\": {\"requests\": 11111111112222222222333333333344444444445}}"
                        + "| too deep or too long (expected: at most 8 levels, numbers of 40 digits",
                "{\"attributes\": {}, \"timeout_ms\": 0}              | timeout_ms: 0 (expected: above 0)",
                "[{\"attributes\": {}}, {\"attributes\": 5}]           | [1].attributes: a number (expected: an object)",
            })
    void check_badBody_isAProblemThatNamesTheField(String body, String problem) throws Exception {
        HttpResponse<String> response = post("/v1/check", body);

        assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
        assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(json(response).get("status").asInt()).isEqualTo(400);
        assertThat(json(response).get("detail").asText())
                .contains(problem)
                .doesNotContainPattern("Stream|Feature|ALLOW_|REDACTED");
    }

    @Test
    void check_bodyTooLarge_isRefused() throws Exception {
        String large = "{\"attributes\": {\"a\": \"" + "x".repeat(2 << 20) + "\"}}";

        assertThat(post("/v1/check", large).statusCode()).isEqualTo(413);
    }

    @Test
    void permits_holdUntilSettledOrReleased() throws Exception {
        String job = "{\"attributes\": {\"route\": \"/jobs\", \"user\": \"ann\"}}";
        String id = json(post("/v1/permits", job)).get("permit").get("id").asText();

        assertThat(json(post("/v1/permits", job)).get("allowed").asBoolean()).isFalse();
        assertThat(json(post("/v1/permits/" + id + "/renew", "")).get("status").asText())
                .isEqualTo("renewed");
        assertThat(send(to("/v1/permits/" + id).DELETE()).statusCode()).isEqualTo(200);
        assertThat(json(post("/v1/permits", job)).get("allowed").asBoolean()).isTrue();
        assertThat(send(to("/v1/permits/memory-nobody").DELETE()).statusCode()).isEqualTo(404);
    }

    @Test
    void permits_settledAtLess_returnTheRest() throws Exception {
        String dear = api("ann").replaceFirst("\\{", "{\"costs\": {\"requests\": 3}, ");
        String id = json(post("/v1/permits", dear)).get("permit").get("id").asText();

        JsonNode settled = json(post("/v1/permits/" + id + "/settle", "{\"costs\": {\"requests\": 1}}"));

        assertThat(settled.get("charged").get("requests").asInt()).isEqualTo(1);
        assertThat(json(post("/v1/check", api("ann")))
                        .get("limits")
                        .get(0)
                        .get("remaining")
                        .asInt())
                .isEqualTo(1);
        assertThat(post("/v1/permits/" + id + "/settle", "{}").statusCode()).isEqualTo(400);
        assertThat(json(post("/v1/permits/" + id + "/settle", "{\"costs\": {\"requests\": 3}}")))
                .as("the repeated call gets the same answer")
                .isEqualTo(settled);
    }

    @Test
    void permits_reservedOrSettledInAnUnknownUnit_areRefused_andNothingChanges() throws Exception {
        HttpResponse<String> reserved =
                post("/v1/permits", api("ann").replaceFirst("\\{", "{\"costs\": {\"tokns\": 5}, "));
        assertThat(reserved.statusCode()).isEqualTo(400);
        assertThat(json(reserved).get("field").asText()).isEqualTo("costs.tokns");
        assertThat(json(reserved).get("detail").asText())
                .isEqualTo("costs.tokns: no limit counts it (expected: requests or slots or tokens)");

        String id =
                json(post("/v1/permits", api("ann"))).get("permit").get("id").asText();
        HttpResponse<String> settled =
                post("/v1/permits/" + id + "/settle", "{\"costs\": {\"tokns\": 5, \"requests\": 1}}");
        assertThat(settled.statusCode()).isEqualTo(400);
        assertThat(json(settled).get("field").asText()).isEqualTo("costs.tokns");

        JsonNode right = json(post("/v1/permits/" + id + "/settle", "{\"costs\": {\"tokens\": 5}}"));
        assertThat(right.get("charged").toString()).isEqualTo("{\"requests\":1,\"tokens\":5}");
        assertThat(right.has("ignored")).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET  | /v1/check               | POST",
                "PUT  | /v1/permits/abc         | DELETE",
                "GET  | /v1/permits/abc/settle  | POST",
                "POST | /health/live?a=b        | GET, HEAD",
                "POST | /assets/pages.css       | GET, HEAD",
                "ODD  | /v1/check               | POST",
            })
    void unsupportedMethod_listsTheSupportedOnes(String method, String path, String allowed) throws Exception {
        HttpResponse<String> response = send(to(path).method(method, HttpRequest.BodyPublishers.noBody()));

        assertThat(response.statusCode()).isEqualTo(405);
        assertThat(response.headers().firstValue("allow")).contains(allowed);
    }

    /**
     * Calls that a web page can make a browser send to a service that its user can reach. Browsers send them without
     * asking the service first.
     */
    @ParameterizedTest
    @CsvSource({
        "origin, https://evil.example, 403",
        "origin, null, 403",
        "sec-fetch-site, cross-site, 403",
        "sec-fetch-site, same-site, 403",
        "sec-fetch-site, same-origin, 200",
        "sec-fetch-site, none, 200",
        "origin, http://127.0.0.1:PORT, 200",
    })
    void pagesOfOtherSites_areRefused_exceptAtTheGate(String header, String value, int status) throws Exception {
        String sent = value.replace("PORT", Integer.toString(server.port()));
        String id =
                json(post("/v1/permits", api("ann"))).get("permit").get("id").asText();

        for (String path : List.of("/v1/check", "/v1/permits")) {
            assertThat(client().post(path, api("bob"), header, sent, "content-type", "text/plain")
                            .statusCode())
                    .as(path)
                    .isEqualTo(status);
        }
        assertThat(client().post("/json", "{\"domain\": \"a\"}", header, sent).statusCode() == 403)
                .isEqualTo(status == 403);
        assertThat(send(to("/v1/permits/" + id).header(header, sent).DELETE()).statusCode())
                .isEqualTo(status);
        assertThat(send(to("/v1/gate").header(header, sent)).statusCode()).isEqualTo(200);
    }

    /** A page cannot know the token. A service with a token may serve pages of other sites on purpose. */
    @Test
    void pagesOfOtherSites_areServedWithAToken() throws Exception {
        server.close();
        server = PenstockServer.start(settings().withTokens(List.of(new Secret("a-token-for-tests"))));

        assertThat(client().post(
                                "/v1/check",
                                api("ann"),
                                "origin",
                                "https://shop.example",
                                "authorization",
                                "Bearer a-token-for-tests")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void gate_tooLargeBody_isRefused_andChargesNothing() throws Exception {
        HttpRequest.Builder asked = to("/v1/gate").header("x-forwarded-uri", "/api/things");
        HttpRequest.Builder large = to("/v1/gate")
                .version(HttpClient.Version.HTTP_1_1) // over HTTP/2 the JDK's client keeps sending
                .header("x-forwarded-uri", "/api/things")
                .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[2 << 20]));
        String before =
                send(asked).headers().firstValue("x-ratelimit-remaining").orElse("none");

        assertThat(send(large).statusCode()).isEqualTo(413);

        assertThat(send(asked).headers().firstValue("x-ratelimit-remaining"))
                .contains(String.valueOf(Integer.parseInt(before) - 1));
    }

    @Test
    void check_tooManySlots_areRefusedByName() throws Exception {
        HttpResponse<String> response = send(to("/v1/check")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"attributes\": {\"user\": \"a\"}, \"costs\": {\"slots\": 100000}}")));

        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body())
                .contains("\"field\":\"costs.slots\"")
                .contains("100000 (expected: a whole number from 0 to 4095)");
    }

    @Test
    void gate_answersByStatusAndHeaders() throws Exception {
        HttpRequest.Builder asked = to("/v1/gate")
                .header("x-forwarded-method", "GET")
                .header("x-forwarded-uri", "/api/things?x=1")
                .header("x-forwarded-for", "198.51.100.7");
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> allowed = send(asked);
            assertThat(allowed.statusCode()).isEqualTo(200);
            assertThat(allowed.headers().firstValue("ratelimit")).isPresent();
        }
        HttpResponse<String> denied = send(asked);

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("retry-after")).isPresent();
        assertThat(denied.headers().firstValue("cache-control")).contains("no-store");
        assertThat(json(denied).get("type").asText()).endsWith("#quota-exceeded");
        assertThat(json(denied).get("status").asInt()).isEqualTo(429);
    }

    @Test
    void gate_spoofedAddress_gainsNothing() throws Exception {
        HttpResponse<String> denied = send(
                to("/v1/gate").header("x-forwarded-uri", "/free").header("x-forwarded-for", "192.0.2.1, 203.0.113.9"));

        assertThat(denied.statusCode()).as("the deny list").isEqualTo(403);
    }

    @Test
    void changedFile_takesEffect() throws Exception {
        for (int i = 0; i < 4; i++) {
            post("/v1/check", api("ann"));
        }
        Files.writeString(file, Files.readString(file).replace("3/h", "50/h"));
        server.policies().reload();

        assertThat(json(post("/v1/check", api("ann"))).get("allowed").asBoolean())
                .isTrue();
    }

    @Test
    void health_readinessEndsBeforeTheService() throws Exception {
        assertThat(send(to("/health/live")).statusCode()).isEqualTo(200);
        assertThat(send(to("/health/ready")).statusCode()).isEqualTo(200);
        server.drain();
        assertThat(send(to("/health/ready")).statusCode()).isEqualTo(503);
        assertThat(send(to("/health/live")).statusCode()).isEqualTo(200);
        assertThat(post("/v1/check", api("ann")).statusCode()).isEqualTo(200);
    }

    @Test
    void token_isRequired() throws Exception {
        server.close();
        server = PenstockServer.start(settings().withTokens(List.of(new Secret("a-token-of-the-tests"))));

        HttpResponse<String> unknown = post("/v1/check", api("ann"));
        assertThat(unknown.statusCode()).isEqualTo(401);
        assertThat(unknown.headers().firstValue("www-authenticate")).contains("Bearer");
        assertThat(json(unknown).get("detail").asText()).isEqualTo("A bearer token is required.");
        HttpRequest.Builder known = to("/v1/check")
                .header("authorization", "Bearer a-token-of-the-tests")
                .POST(HttpRequest.BodyPublishers.ofString(api("ann")));
        assertThat(send(known).statusCode()).isEqualTo(200);
        assertThat(send(to("/health/ready")).statusCode()).isEqualTo(200);
    }
}
