package dev.penstock.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.server.DrainSettings;
import dev.penstock.server.ListenAddress;
import dev.penstock.server.PenstockServer;
import dev.penstock.server.Secret;
import dev.penstock.server.ServerSettings;
import dev.penstock.server.SettingsReader;
import dev.penstock.server.WarmUpSettings;
import dev.penstock.testkit.server.GatewayServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

/** An Envoy in front of an application, configured as in {@code docs/envoy.md}. */
@EnabledIf(value = "hasEnvoy", disabledReason = "envoy is not installed")
class EnvoyIT {
    private static final String TOKEN = "a-token-of-the-gateway";
    private static final String TENANT = "x-tenant";

    private final HttpClient client = HttpClient.newHttpClient();
    private final Application application = new Application();
    private final List<AutoCloseable> running = new ArrayList<>();

    private List<String> examples;
    private PenstockServer penstock;
    private int port;

    @TempDir
    private Path directory;

    static boolean hasEnvoy() {
        return GatewayServer.has("envoy");
    }

    @BeforeEach
    void readTheGuide() throws IOException {
        running.add(application);
        String guide = Files.readString(Path.of("..", "docs", "envoy.md"));
        examples = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(guide)
                .results()
                .map(example -> example.group(1))
                .toList();
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : running) {
            each.close();
        }
    }

    @Test
    void allowedRequest_reachesTheApplication_andTheClientGetsTheRemaining() throws Exception {
        start(Map.of());

        HttpResponse<String> answer = get("/api/users?page=2", TENANT, "acme");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("/api/users?page=2");
        assertThat(header(answer, "x-ratelimit-limit")).startsWith("50, 50;w=1");
        assertThat(header(answer, "x-ratelimit-remaining")).isEqualTo("49");
        assertThat(header(answer, "x-ratelimit-reset")).isEqualTo("1");
    }

    @Test
    void deniedRequest_is429_andCostsNothing() throws Exception {
        start(Map.of(), "100/min", "3/min", "600/min", "4/min");
        for (int i = 0; i < 3; i++) {
            assertThat(get("/api/users", TENANT, "acme").statusCode()).isEqualTo(200);
        }

        HttpResponse<String> denied = get("/api/users", TENANT, "acme");

        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "x-envoy-ratelimited")).isEqualTo("true");
        assertThat(header(denied, "x-ratelimit-remaining")).isEqualTo("0");
        assertThat(application.requests()).isEqualTo(3);
        assertThat(get("/api/users", TENANT, "other").statusCode()).isEqualTo(200);
        assertThat(get("/api/reports/2", TENANT, "acme").statusCode())
                .as("four for all routes; the denied request took none")
                .isEqualTo(200);
    }

    @Test
    void headersOfTheService_reachTheClient_whetherAllowedOrDenied() throws Exception {
        start(Map.of("envoy.headers", List.of("fields")), "100/min", "1/min");

        HttpResponse<String> allowed = get("/api/users", TENANT, "acme");
        HttpResponse<String> denied = get("/api/users", TENANT, "acme");

        assertThat(header(allowed, "ratelimit-policy")).contains("\"addresses\";q=50;w=1", "q=600;w=60", "q=1;w=60");
        assertThat(header(allowed, "ratelimit")).contains("r=0;t=");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(Integer.parseInt(header(denied, "retry-after"))).isBetween(1, 60);
    }

    @Test
    void challenge_reachesTheClient() throws Exception {
        start(
                Map.of("envoy.headers", List.of("numbers")),
                "100/min",
                "1/min",
                "  - name: tenants\n",
                "  - name: tenants\n    action: challenge\n");

        HttpResponse<String> allowed = get("/api/users", TENANT, "acme");
        HttpResponse<String> denied = get("/api/users", TENANT, "acme");

        assertThat(allowed.headers().firstValue("penstock-action")).isEmpty();
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "penstock-action")).isEqualTo("challenge");
    }

    @Test
    void metadata_isAvailableInEnvoysLog() throws Exception {
        start(Map.of("envoy.metadata", List.of("true")), "100/min", "1/min");

        get("/api/users", TENANT, "acme");
        get("/api/users", TENANT, "acme");

        Path log = directory.resolve("access.log");
        await().untilAsserted(() -> assertThat(log).content().endsWith("429 [\"tenants\"]\n"));
    }

    @Test
    void token_isSent() throws Exception {
        start(Map.of(), List.of(new Secret(TOKEN)), "failure_mode_deny: false", "failure_mode_deny: true");

        assertThat(get("/api/users", TENANT, "acme").statusCode()).isEqualTo(200);
    }

    @Test
    void withoutPenstock_theFilterDecides() throws Exception {
        start(Map.of());
        penstock.close();

        assertThat(get("/api/users", TENANT, "acme").statusCode()).isEqualTo(200);
    }

    @Test
    void withoutPenstock_failureModeDeny_is500() throws Exception {
        start(Map.of(), "failure_mode_deny: false", "failure_mode_deny: true");
        penstock.close();

        assertThat(get("/api/users", TENANT, "acme").statusCode()).isEqualTo(500);
        assertThat(application.requests()).isZero();
    }

    @Test
    void costs_comeFromTheRequest() throws Exception {
        start(Map.of(), examples.get(1), """
                typed_per_filter_config:
                  envoy.filters.http.ratelimit:
                    "@type": type.googleapis.com/envoy.extensions.filters.http.ratelimit.v3.RateLimitPerRoute
                    rate_limits: [ { actions: [ { remote_address: {} } ], hits_addend: { format: "%REQ(x-cost)%" } } ]
                """);

        assertThat(header(get("/", "x-cost", "20"), "x-ratelimit-remaining")).isEqualTo("30");
        assertThat(get("/", "x-cost", "51").statusCode()).isEqualTo(429);
    }

    @Test
    void rulesOfEnvoyproxyRatelimit_decide() throws Exception {
        Path rules = Files.writeString(directory.resolve("rules.yaml"), """
                domain: edge
                descriptors:
                  - key: remote_address
                    rate_limit: { unit: hour, requests_per_unit: 2 }
                """);
        start(Map.of("envoy.rules", List.of(rules.toString()), "envoy.headers", List.of("numbers")));

        HttpResponse<String> allowed = get("/");
        get("/");
        HttpResponse<String> denied = get("/");

        assertThat(allowed.statusCode()).isEqualTo(200);
        assertThat(header(allowed, "ratelimit-limit")).isEqualTo("2");
        assertThat(header(allowed, "ratelimit-remaining")).isEqualTo("1");
        assertThat(denied.statusCode()).isEqualTo(429);
        assertThat(header(denied, "ratelimit-remaining")).isEqualTo("0");
    }

    private void start(Map<String, List<String>> flags, String... replaced) throws Exception {
        start(flags, List.of(), replaced);
    }

    /** @param replaced changes to the guide's example: the original text and its replacement, alternating */
    private void start(Map<String, List<String>> flags, List<Secret> tokens, String... replaced) throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), adapted(2, replaced));
        ServerSettings settings = SettingsReader.of(Map.of("PENSTOCK_POLICIES", policies.toString()))
                .flags(flags)
                .read()
                .settings();
        penstock = PenstockServer.start(settings.withAt(new ListenAddress("127.0.0.1", 0))
                .withTokens(tokens)
                .withWarmUp(WarmUpSettings.OFF)
                .withDrain(new DrainSettings(Duration.ZERO, Duration.ZERO)));
        running.add(0, penstock);
        GatewayServer envoy = GatewayServer.start(
                "envoy",
                Map.of("envoy.yaml", config(replaced)),
                "-c",
                "envoy.yaml",
                "--disable-hot-restart",
                "--concurrency",
                "1",
                "--file-flush-interval-msec",
                "100");
        running.add(0, envoy);
        port = envoy.port();
    }

    private String config(String... replaced) {
        Matcher parts = Pattern.compile("http_filters:\n(.*)clusters:\n(.*)", Pattern.DOTALL)
                .matcher(adapted(0, replaced));
        assertThat(parts.matches()).isTrue();
        return """
                static_resources:
                  listeners:
                    - address: { socket_address: { address: 127.0.0.1, port_value: {port} } }
                      filter_chains:
                        - filters:
                            - name: envoy.filters.network.http_connection_manager
                              typed_config:
                                "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
                                stat_prefix: in
                                use_remote_address: true
                                access_log:
                                  - name: envoy.access_loggers.file
                                    typed_config:
                                      "@type": type.googleapis.com/envoy.extensions.access_loggers.file.v3.FileAccessLog
                                      path: ACCESS_LOG
                                      log_format:
                                        text_format_source:
                                          inline_string: "%RESPONSE_CODE% %DYNAMIC_METADATA(envoy.filters.http.ratelimit:denied_by)%\\n"
                                http_filters:
                FILTERS
                                  - name: envoy.filters.http.router
                                    typed_config:
                                      "@type": type.googleapis.com/envoy.extensions.filters.http.router.v3.Router
                                route_config:
                                  virtual_hosts:
                                    - name: all
                                      domains: [ "*" ]
                                      routes: [ { match: { prefix: / }, route: { cluster: application } } ]
                RATE_LIMITS
                  clusters:
                CLUSTERS
                    - name: application
                      load_assignment:
                        cluster_name: application
                        endpoints:
                          - lb_endpoints:
                              - endpoint: { address: { socket_address: { address: 127.0.0.1, port_value: APPLICATION } } }
                """.replace("FILTERS\n", parts.group(1).indent(16))
                .replace("CLUSTERS\n", parts.group(2).indent(2))
                .replace("RATE_LIMITS\n", adapted(1, replaced).indent(22))
                .replace("ACCESS_LOG", directory.resolve("access.log").toString())
                .replace("APPLICATION", Integer.toString(application.port()));
    }

    /** Returns an example of the guide with free ports and long timeouts, because a test machine may be busy. */
    private String adapted(int example, String... replaced) {
        String text = examples.get(example);
        for (int i = 0; i < replaced.length; i += 2) {
            text = text.replace(replaced[i], replaced[i + 1]);
        }
        return penstock == null
                ? text
                : text.replace("timeout: 0.05s", "timeout: 20s")
                        .replace("Bearer ...", "Bearer " + TOKEN)
                        .replace(
                                "address: penstock, port_value: 8080",
                                "address: 127.0.0.1, port_value: " + penstock.port());
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String header(HttpResponse<String> answer, String name) {
        return answer.headers().firstValue(name).orElse("none");
    }
}
