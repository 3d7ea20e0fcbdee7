package dev.penstock.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.linecorp.armeria.common.HttpMethod;
import dev.penstock.Request;
import dev.penstock.server.AdminSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.Secret;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.SettingsReader;
import dev.penstock.testkit.server.GatewayServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real gateways, configured as {@code docs/gateways.md} says, in front of an application. */
class GatewayIT {
    private static final Path DOCUMENT = Path.of("..", "docs", "gateways.md");
    private static final String PROBLEM = "application/problem+json";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final List<AutoCloseable> running = new ArrayList<>();
    private final Application application = new Application();
    private PenstockServer penstock;
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
        assumeTrue(GatewayServer.has(gateway.program), gateway.program + " is not installed");
        GatewayDocs docs = new GatewayDocs(Files.readString(DOCUMENT), gateway.title);
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                deny: [ { name: bad, match: { ip: 203.0.113.0/24 } } ]
                policies:
                  - name: api
                    match: { route: /api/**, method: GET }
                    limits: [ { key: [tenant], token_bucket: 3/h } ]
                """);
        ServerSettings settings = SettingsReader.of(Map.of("PENSTOCK_POLICIES", policies.toString()))
                .flags(docs.flags())
                .read()
                .settings();
        ListenAddress any = new ListenAddress("127.0.0.1", 0);
        penstock = PenstockServer.start(
                settings.withAt(any).withAdmin(new AdminSettings(any)).withTokens(tokens));
        running.add(0, penstock);
        GatewayServer server = GatewayServer.start(
                gateway.program, gateway.files(docs, config -> adapted(config, tokens)), gateway.arguments());
        running.add(0, server);
        port = server.port();
        await().until(() ->
                get(Application.UNCOUNTED).statusCode() != 404); // Traefik listens before it knows its routes
    }

    /** At free ports, and patient: a test machine may be busy. */
    private String adapted(String config, List<Secret> tokens) {
        return withTokens(config, tokens)
                .replace("100ms", "20s")
                .replace("timeout = 100 ", "timeout = 20000 ")
                .replace("127.0.0.1:8080", "127.0.0.1:" + penstock.port())
                .replace("127.0.0.1:9000", "127.0.0.1:" + application.port())
                .replace("8000", GatewayServer.PORT);
    }

    /** With the line that the document has as a comment. */
    private static String withTokens(String config, List<Secret> tokens) {
        return tokens.isEmpty()
                ? config
                : config.replaceAll(
                        "(?:#|--) (.*)Bearer TOKEN", "$1Bearer " + tokens.get(0).text());
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
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRAEFIK") // which tells the application alone
    void allowedRequest_reachesTheApplication_andItsFieldsTheClient(GatewayKind gateway) throws Exception {
        start(gateway);

        HttpResponse<String> answer = get("/api/things?page=2", "x-tenant", "acme");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("/api/things?page=2");
        assertThat(answer.headers().firstValue("ratelimit-policy")).contains("\"api\";q=3;w=3600");
        assertThat(answer.headers().firstValue("ratelimit").orElse("")).startsWith("\"api\";r=2;t=");
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
        assertThat(denied.body()).contains("#quota-exceeded");
        assertThat(application.requests()).isEqualTo(3);
        assertThat(get("/api/things", "x-tenant", "other").statusCode()).isEqualTo(200);
    }

    /** What the gateway writes goes before what the client wrote under the same names, and others are not read. */
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
        assertThat(framed.statusCode()).as("an address that the client made up").isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "TRAEFIK") // which cannot show one
    void token_isShownByTheGateway_whateverTheClientShows(GatewayKind gateway) throws Exception {
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
                .as("what is left after one that was counted")
                .isEqualTo(2);
        assertThat(application.header("authorization")).isEqualTo("Basic YTpi");
    }

    @ParameterizedTest
    @EnumSource
    void largeHeader_isAsTheDocumentSays(GatewayKind gateway) throws Exception {
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

    /** Spelled otherwise it is still the same path; a slash that is hidden is none. */
    @ParameterizedTest
    @EnumSource
    void path_isPutInOrder_butHiddenSlashesStay(GatewayKind gateway) throws Exception {
        start(gateway);
        for (String path : List.of("/api/things", "/api//things?a=b", "/%61pi/things")) {
            assertThat(get(path, "x-tenant", "acme").statusCode()).as(path).isEqualTo(200);
        }

        assertThat(get("/api/things", "x-tenant", "acme").statusCode()).isEqualTo(429);
        assertThat(get("/api%2Fthings", "x-tenant", "acme").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void penstockAway_isAsTheDocumentSays(GatewayKind gateway) throws Exception {
        start(gateway);
        penstock.close();

        assertThat(get("/api/things", "x-tenant", "acme").statusCode()).isEqualTo(gateway.statusWithoutPenstock);
    }

    @Test
    void document_namesEveryGateway() throws Exception {
        assertThat(Files.readString(DOCUMENT)).contains("## Traefik", "## nginx", "## Caddy", "## HAProxy");
    }
}
