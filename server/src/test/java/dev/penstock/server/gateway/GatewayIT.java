package dev.penstock.server.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.linecorp.armeria.common.HttpMethod;
import dev.penstock.Clock;
import dev.penstock.Request;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.DrainSettings;
import dev.penstock.server.GateSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.RedisUri;
import dev.penstock.server.Secret;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.SettingsReader;
import dev.penstock.server.WarmUpSettings;
import dev.penstock.testkit.server.GatewayServer;
import dev.penstock.testkit.server.RedisServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real gateways in front of an application, configured as in {@code docs/gateways.md}. */
class GatewayIT {
    private static final Path DOCUMENT = Path.of("..", "docs", "gateways.md");
    private static final String PROBLEM = "application/problem+json";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final List<AutoCloseable> running = new ArrayList<>();
    private final Application application = new Application();
    private PenstockServer penstock;
    private @Nullable RedisServer redis;
    private int port;

    @TempDir
    private Path directory;

    @BeforeEach
    void startApplication() {
        running.add(application);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : running) {
            each.close();
        }
    }

    private void start(GatewayKind gateway) throws Exception {
        start(gateway, List.of());
    }

    private void start(GatewayKind gateway, List<Secret> tokens) throws Exception {
        start(gateway, tokens, false);
    }

    /** @param verifies true for a gateway that verifies the tokens of clients, as the document shows for HAProxy */
    private void start(GatewayKind gateway, List<Secret> tokens, boolean verifies) throws Exception {
        assumeTrue(GatewayServer.has(gateway.program), gateway.program + " is not installed");
        GatewayDocs docs = new GatewayDocs(Files.readString(DOCUMENT), gateway.title);
        String lines =
                verifies ? new GatewayDocs(Files.readString(DOCUMENT), "Cookies and tokens").block("haproxy") : null;
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                deny:
                  - { name: bad, match: { ip: 203.0.113.0/24 } }
                  - { name: closed, match: { route: /closed } }
                policies:
                  - name: api
                    match: { route: /api/**, method: GET }
                    limits: [ { key: [tenant], token_bucket: 3/h } ]
                    action: challenge
                  - name: partners
                    match: { route: /partners }
                    limits: [ { key: [], token_bucket: 3/h } ]
                    on_store_failure: closed
                  - name: shaped
                    match: { route: /shaped }
                    limits: [ { key: [], leaky_bucket: 2/s, queue: 10 } ]
                  - name: users
                    match: { route: /mine }
                    limits: [ { key: user, token_bucket: 1/h } ]
                """);
        ServerSettings settings = SettingsReader.of(Map.of("PENSTOCK_POLICIES", policies.toString()))
                .flags(docs.flags())
                .read()
                .settings();
        ListenAddress any = new ListenAddress("127.0.0.1", 0);
        GateSettings gate = settings.gate();
        penstock = PenstockServer.start(settings.withAt(any)
                .withRedis(redis == null ? null : new RedisUri(redis.uri()))
                .withGate(new GateSettings(
                        gate.deniedStatus(), gate.requestHeaders(), attributes(gate), Duration.ofSeconds(9)))
                .withAdmin(new AdminSettings(any))
                .withTokens(tokens)
                .withWarmUp(WarmUpSettings.OFF)
                .withDrain(new DrainSettings(Duration.ZERO, Duration.ZERO)));
        running.add(0, penstock);
        GatewayServer server = GatewayServer.start(
                gateway.program,
                gateway.files(docs, config -> verifying(adapted(config, tokens), lines)),
                gateway.arguments());
        running.add(0, server);
        port = server.port();
        await().until(() -> get(Application.UNCOUNTED).statusCode() != 404); // Traefik listens before it has its routes
    }

    private static String verifying(String config, @Nullable String lines) {
        return lines != null
                ? config.replace("    http-request lua.penstock", lines + "    http-request lua.penstock")
                        .replace("{ \"x-tenant\" }", "{ \"x-tenant\", \"x-jwt-payload\" }")
                : config;
    }

    private static Map<String, String> attributes(GateSettings documented) {
        Map<String, String> attributes = new HashMap<>(documented.attributes());
        attributes.put("claim:x-jwt-payload/sub", "user");
        return attributes;
    }

    /** Uses free ports and long timeouts, because a test machine may be busy. */
    private String adapted(String config, List<Secret> tokens) {
        return withTokens(config, tokens)
                .replace("100ms", "20s")
                .replace("timeout = 100 ", "timeout = 20000 ")
                .replace("providers: { file:", "providers: { providersThrottleDuration: 1ms, file:") // 2 s by default
                .replace("127.0.0.1:8080", "127.0.0.1:" + penstock.port())
                .replace("127.0.0.1:9000", "127.0.0.1:" + application.port())
                .replace("8000", GatewayServer.PORT);
    }

    /** Enables the line that the document has as a comment. */
    private static String withTokens(String config, List<Secret> tokens) {
        return tokens.isEmpty()
                ? config
                : config.replaceAll(
                                "(?:#|--) (.*)Bearer TOKEN",
                                "$1Bearer " + tokens.get(0).text())
                        .replace("# token: TOKEN", "token: " + tokens.get(0).text());
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void allowedRequest_reachesTheApplicationBehindTraefik_withItsFields() throws Exception {
        start(GatewayKind.TRAEFIK);

        HttpResponse<String> answer = get("/api/things?page=2", "x-tenant", "acme");

        assertThat(answer.body()).isEqualTo("/api/things?page=2");
        assertThat(application.header("ratelimit-policy")).isEqualTo("\"api\";q=3;w=3600");
        assertThat(application.header("ratelimit")).startsWith("\"api\";r=2;t=");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRAEFIK") // which passes them only to the application
    void allowedRequest_reachesTheApplication_andItsFieldsTheClient(GatewayKind gateway) throws Exception {
        start(gateway);

        HttpResponse<String> answer = get("/api/things?page=2", "x-tenant", "acme");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("/api/things?page=2");
        assertThat(answer.headers().firstValue("ratelimit-policy")).contains("\"api\";q=3;w=3600");
        assertThat(answer.headers().firstValue("ratelimit").orElse("")).startsWith("\"api\";r=2;t=");
        assertThat(answer.headers().firstValue("x-ratelimit-limit")).contains("3");
        assertThat(answer.headers().firstValue("x-ratelimit-remaining")).contains("2");
        assertThat(answer.headers().firstValue("x-ratelimit-reset")).isPresent();
    }

    @ParameterizedTest
    @EnumSource
    void deniedRequest_is429_andReachesNobody(GatewayKind gateway) throws Exception {
        start(gateway);
        for (int i = 0; i < 3; i++) {
            assertThat(get("/api/things", "x-tenant", "acme").statusCode()).isEqualTo(200);
        }

        HttpResponse<String> denied = get("/api/things", "x-tenant", "acme");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(denied.headers().firstValue("content-type")).contains(PROBLEM);
        assertThat(denied.headers().firstValue("cache-control")).contains("no-store");
        assertThat(Integer.parseInt(denied.headers().firstValue("retry-after").orElse("0")))
                .isBetween(1, 1_200);
        assertThat(denied.headers().firstValue("ratelimit").orElse("")).startsWith("\"api\";r=0;t=");
        assertThat(denied.headers().firstValue("x-ratelimit-remaining")).contains("0");
        assertThat(denied.headers().firstValue("penstock-action")).contains("challenge");
        assertThat(denied.body()).contains("#quota-exceeded");
        assertThat(application.requests()).isEqualTo(3);
        assertThat(get("/api/things", "x-tenant", "other").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void denyList_is403_andReachesNobody(GatewayKind gateway) throws Exception {
        start(gateway);

        HttpResponse<String> denied = get("/closed");

        assertThat(denied.statusCode()).isEqualTo(403);
        assertThat(denied.headers().firstValue("content-type")).contains(PROBLEM);
        assertThat(denied.headers().firstValue("penstock-action")).contains("deny");
        assertThat(denied.body()).contains("about:blank").contains("403").doesNotContain("429");
        assertThat(application.requests()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void failedStore_is503_forPoliciesThatFailClosed(GatewayKind gateway) throws Exception {
        RedisServer store = RedisServer.start();
        running.add(store);
        redis = store;
        start(gateway);
        assertThat(get("/partners").statusCode()).isEqualTo(200);
        store.kill();

        HttpResponse<String> denied = get("/partners");

        assertThat(denied.statusCode()).isEqualTo(503);
        assertThat(denied.headers().firstValue("content-type")).contains(PROBLEM);
        assertThat(denied.body()).contains("#temporary-reduced-capacity").contains("503");
        assertThat(application.requests()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource
    void leakyBucket_shapes(GatewayKind gateway) throws Exception {
        start(gateway);
        Clock clock = Clock.system();
        long start = clock.micros();
        for (int i = 0; i < 4; i++) {
            assertThat(get("/shaped").statusCode()).isEqualTo(200);
        }

        assertThat(clock.micros() - start).as("three delays of half a second").isGreaterThan(1_400_000);
    }

    /** HAProxy verifies the token, as the document shows. The client's own header is removed. */
    @Test
    void claimOfAVerifiedToken_isAnAttributeBehindHaproxy() throws Exception {
        start(GatewayKind.HAPROXY, List.of(), true);
        String ann = "Bearer " + token("{\"sub\":\"ann\",\"exp\":4102444800}", "SECRET");

        assertThat(get("/mine").statusCode()).isEqualTo(401);
        assertThat(get("/mine", "authorization", ann).statusCode()).isEqualTo(200);
        assertThat(get("/mine", "authorization", ann).statusCode()).isEqualTo(429);
        assertThat(get("/mine", "authorization", ann, "x-jwt-payload", "{\"sub\":\"eve\"}")
                        .statusCode())
                .isEqualTo(429);
        assertThat(get("/mine", "authorization", "Bearer " + token("{\"sub\":\"bob\",\"exp\":4102444800}", "SECRET"))
                        .statusCode())
                .isEqualTo(200);
        assertThat(get("/mine", "authorization", "Bearer " + token("{\"sub\":\"eve\",\"exp\":4102444800}", "FORGED"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(get("/mine", "authorization", "Bearer " + token("{\"sub\":\"old\",\"exp\":1000}", "SECRET"))
                        .statusCode())
                .isEqualTo(401);
    }

    private static String token(String payload, String secret) throws Exception {
        String signed = base64("{\"alg\":\"HS256\"}".getBytes(UTF_8)) + "." + base64(payload.getBytes(UTF_8));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
        return signed + "." + base64(mac.doFinal(signed.getBytes(UTF_8)));
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Headers of the gateway replace those of the client with the same names. Other headers are ignored. */
    @ParameterizedTest
    @EnumSource
    void headersOfTheClient_gainNothing(GatewayKind gateway) throws Exception {
        start(gateway);
        for (int i = 0; i < 3; i++) {
            get("/api/things", "x-tenant", "acme");
        }

        HttpResponse<String> denied = get(
                "/api/things",
                "x-tenant",
                "acme",
                "x-forwarded-uri",
                "/free",
                "x-forwarded-method",
                HttpMethod.POST.name(),
                "x-original-uri",
                "/free",
                "x-original-method",
                HttpMethod.POST.name());
        HttpResponse<String> framed = get("/free", "x-forwarded-for", "203.0.113.9");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(framed.statusCode()).as("a forged address").isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRAEFIK") // which cannot send one
    void token_isSentByTheGateway_whateverTheClientSends(GatewayKind gateway) throws Exception {
        start(gateway, List.of(new Secret("a-token-of-the-gateway")));

        assertThat(get("/api/things", "x-tenant", "acme", "authorization", "Basic YTpi")
                        .statusCode())
                .isEqualTo(200);
        assertThat(penstock.limiter()
                        .peek(Request.of("route", "/api/things")
                                .with("method", "GET")
                                .with("tenant", "acme"))
                        .limits()
                        .get(0)
                        .remaining())
                .as("the remaining amount after one counted request")
                .isEqualTo(2);
        assertThat(application.header("authorization")).isEqualTo("Basic YTpi");
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRAEFIK_PLUGIN") // which sends only the headers it needs
    void largeHeader_isHandledAsDocumented(GatewayKind gateway) throws Exception {
        start(gateway);
        String large = "a".repeat(4_000);

        HttpResponse<String> answer = get(
                "/api/things",
                "x-tenant",
                "acme",
                "x-1",
                large,
                "x-2",
                large,
                "x-3",
                large,
                "x-4",
                large,
                "x-5",
                large);

        assertThat(answer.statusCode()).isEqualTo(gateway.statusOfLargeHeader);
        assertThat(application.requests()).isZero();
    }

    /** Different spellings of a path are the same path, but an encoded slash is not a slash. */
    @ParameterizedTest
    @EnumSource
    void path_isNormalized_butEncodedSlashesStay(GatewayKind gateway) throws Exception {
        start(gateway);
        for (String path : List.of("/api/things", "/api//things?a=b", "/%61pi/things")) {
            assertThat(get(path, "x-tenant", "acme").statusCode()).as(path).isEqualTo(200);
        }

        assertThat(get("/api/things", "x-tenant", "acme").statusCode()).isEqualTo(429);
        assertThat(get("/api%2Fthings", "x-tenant", "acme").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void withoutPenstock_theGatewayActsAsDocumented(GatewayKind gateway) throws Exception {
        start(gateway);
        penstock.close();

        assertThat(get("/api/things", "x-tenant", "acme").statusCode()).isEqualTo(gateway.statusWithoutPenstock);
    }

    @Test
    void document_namesEveryGateway() throws Exception {
        assertThat(Files.readString(DOCUMENT)).contains("## Traefik", "## nginx", "## Caddy", "## HAProxy");
    }
}
