package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Request;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import dev.penstock.testkit.server.RedisServer;
import dev.penstock.testkit.server.TlsIdentity;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsIT {
    private static final String HEAD = "| metric | type | labels | meaning |\n|---|---|---|---|\n";
    private static final Map<String, String> NAMES = Map.of(
            "allowed", "rate_limiter_allowed_total",
            "denied", "rate_limiter_blocked_total",
            "shadow_denied", "rate_limiter_shadow_blocked_total");
    private static final Pattern SAMPLE = Pattern.compile("([a-z0-9_]+)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-z_]+)=\"");

    @TempDir
    Path directory;

    static String scrape(TestService service) throws Exception {
        HttpResponse<String> response = service.get(service.server().metricsPort(), "/metrics");
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("content-type").orElse("")).startsWith("text/plain; version=0.0.4");
        return response.body();
    }

    private static double value(String scraped, String series) {
        return scraped.lines()
                .filter(line -> line.startsWith(series + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
                .findFirst()
                .orElse(0);
    }

    @Test
    void decisions_areCountedByPolicyOutcomeAndDecider() throws Exception {
        try (TestService service = TestService.start(directory)) {
            for (int i = 0; i < 5; i++) {
                service.check("zebedee");
            }
            service.post(service.port(), "/v1/check", "{\"attributes\": {\"ip\": \"203.0.113.9\"}}");
            service.post(service.port(), "/v1/check", "{\"attributes\": {\"route\": \"/free\"}}");
            service.post(
                    service.port(),
                    "/v1/check",
                    "{\"peek\": true, " + TestService.body("zebedee").substring(1));
            String scraped = scrape(service);

            assertThat(requests(scraped, "allowed", "store")).isEqualTo(3);
            assertThat(requests(scraped, "denied", "store")).isEqualTo(2);
            assertThat(requests(scraped, "denied", "policy")).isEqualTo(1);
            assertThat(requests(scraped, "allowed", "policy")).isEqualTo(1);
            assertThat(decisions(scraped, "api", "allowed", "store")).isEqualTo(3);
            assertThat(decisions(scraped, "api", "denied", "store")).isEqualTo(2);
            assertThat(decisions(scraped, "watched", "allowed", "store")).isEqualTo(1);
            assertThat(decisions(scraped, "watched", "shadow_denied", "store")).isGreaterThanOrEqualTo(2);
            assertThat(decisions(scraped, "bad", "denied", "policy")).isEqualTo(1);
            assertThat(decisions(scraped, "default", "allowed", "policy")).isEqualTo(1);
            assertThat(value(scraped, "rate_limiter_decision_seconds_count")).isGreaterThanOrEqualTo(5);
            assertThat(value(scraped, "rate_limiter_decision_seconds_bucket{le=\"+Inf\"}"))
                    .isEqualTo(value(scraped, "rate_limiter_decision_seconds_count"));
            assertThat(scraped)
                    .doesNotContain("zebedee")
                    .doesNotContain("203.0.113")
                    .doesNotContain("/api/x");
            assertThat(scraped)
                    .contains("rate_limiter_allowed_total{policy=\"api\",route=\"/api/**\"} 3.0")
                    .contains("rate_limiter_blocked_total{decided_by=\"policy\",policy=\"bad\",route=\"none\"} 1.0")
                    .contains("http_429_total{plan=\"none\",region=\"none\",route=\"/api/**\"} 2.0")
                    .contains("rate_limiter_near_limit_total{policy=\"api\",route=\"/api/**\"} 1.0")
                    .contains("rate_limiter_live_keys{policy=\"api\"} 1.0");
        }
    }

    @Test
    void callWithAKeyInUse_isNoDecision() throws Exception {
        try (TestService service = TestService.start(directory)) {
            HttpRequest.Builder request =
                    TestService.to(service.port(), "/v1/check").header("Idempotency-Key", "one");
            service.send(request.POST(HttpRequest.BodyPublishers.ofString(TestService.body("ann"))));
            service.send(request);
            HttpResponse<String> other =
                    service.send(request.POST(HttpRequest.BodyPublishers.ofString(TestService.body("bob"))));
            String scraped = scrape(service);

            assertThat(other.statusCode()).isEqualTo(422);
            assertThat(requests(scraped, "allowed", "store"))
                    .as("sent twice, charged once")
                    .isEqualTo(2);
            assertThat(requests(scraped, "denied", "store")).isZero();
            assertThat(decisions(scraped, "api", "denied", "store")).isZero();
        }
    }

    /** Returns the number of requests with this outcome and decider, of all policies. */
    static double requests(String scraped, String outcome, String by) {
        return value(scraped, "rate_limiter_requests_total{decided_by=\"" + by + "\",outcome=\"" + outcome + "\"}");
    }

    /** Returns the number of decisions by a policy, on all routes. Only denials have a decider. */
    static double decisions(String scraped, String policy, String outcome, String by) {
        String name = NAMES.get(outcome);
        Stream<String> lines = scraped.lines()
                .filter(line -> line.startsWith(name + "{") && line.contains("policy=\"" + policy + "\""))
                .filter(line -> !outcome.equals("denied") || line.contains("decided_by=\"" + by + "\""));
        return lines.mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void decisionsForEnvoy_areCountedToo() throws Exception {
        try (TestService service = TestService.start(directory);
                EnvoyClient envoy = new EnvoyClient(service.port(), "edge")) {
            for (int i = 0; i < 4; i++) {
                envoy.passes("route", "/api/x", "user", "zebedee");
            }
            String scraped = scrape(service);

            assertThat(requests(scraped, "allowed", "store")).isEqualTo(3);
            assertThat(requests(scraped, "denied", "store")).isEqualTo(1);
        }
    }

    @Test
    void policyVersionAndFailures_areExported() throws Exception {
        try (TestService service = TestService.start(directory)) {
            service.write("version: 1\npolicies: 5\n");
            service.server().reload();
            String failing = scrape(service);
            service.write(TestService.POLICIES.replace("3/h", "4/h"));
            service.server().reload();
            String fine = scrape(service);

            assertThat(value(failing, "rate_limiter_policies_failing")).isEqualTo(1);
            assertThat(value(failing, "rate_limiter_policies_reloads_total{result=\"rejected\"}"))
                    .isEqualTo(1);
            assertThat(value(fine, "rate_limiter_policies_failing")).isZero();
            assertThat(value(fine, "rate_limiter_policies_version")).isEqualTo(2);
            assertThat(value(fine, "rate_limiter_policies_reloads_total{result=\"loaded\"}"))
                    .isEqualTo(1);
            assertThat(value(fine, "rate_limiter_store_up{store=\"memory\"}")).isEqualTo(1);
            assertThat(value(fine, "rate_limiter_connections{port=\"metrics\"}"))
                    .isZero();
            assertThat(value(fine, "rate_limiter_connections{port=\"admin\"}")).isPositive();
            assertThat(value(fine, "process_open_fds")).isPositive();
        }
    }

    @Test
    void openMetrics_isSentOnRequest() throws Exception {
        try (TestService service = TestService.start(directory)) {
            HttpRequest.Builder request = TestService.to(service.server().metricsPort(), "/metrics")
                    .header("accept", "application/openmetrics-text; version=1.0.0");
            HttpResponse<String> response = service.send(request);

            assertThat(response.headers().firstValue("content-type").orElse(""))
                    .startsWith("application/openmetrics-text");
            assertThat(response.body()).endsWith("# EOF\n");
        }
    }

    /**
     * Returns the metrics of a service with all features on: Redis, TLS, a candidate, rules for Envoy, a log, tenants, a
     * request without an attribute, and a metrics port.
     */
    static String scrapeOfEverything(Path directory) throws Exception {
        TlsIdentity identity = TlsIdentity.create(directory, "own");
        ListenAddress any = new ListenAddress("127.0.0.1", 0);
        Path rules = Files.writeString(directory.resolve("rules.yaml"), "domain: edge\n");
        EnvoySettings envoy = new EnvoySettings(List.of(rules), SameDomain.REFUSED, false, Headers.OFF, false);
        ObserveSettings observe = ObserveSettings.DEFAULT
                .withLog(directory.resolve("log.jsonl"), 1, 1)
                .withMetrics(new MetricSettings(10, 1_000, null));
        try (RedisServer redis = RedisServer.start();
                TestService service = TestService.start(
                        directory,
                        settings -> settings.withTls(new TlsSettings(identity.certificate(), identity.key(), null))
                                .withRedis(new RedisUri(redis.uri()))
                                .withDeadline(Duration.ofSeconds(5))
                                .withEnvoy(envoy)
                                .withObserve(observe)
                                .withAdmin(new AdminSettings(any).withMetrics(any)))) {
            service.write(TestService.POLICIES
                    + "  - { name: next, candidate_of: api, limits: [ { key: [user], token_bucket: 1/h } ] }\n");
            service.server().reload();
            for (int i = 0; i < 5; i++) {
                service.server().limiter().decide(Request.of("route", "/api/x").with("user", "zebedee"));
            }
            service.server().limiter().decide(Request.of("route", "/api/x"));
            return scrape(service);
        }
    }

    @Test
    void docs_describeEveryMetric() throws Exception {
        String document = Files.readString(Path.of("../docs/reference/metrics.md"));
        String table = document.substring(document.indexOf(HEAD) + HEAD.length());

        assertThat(table.lines().takeWhile(line -> line.startsWith("|")))
                .containsExactlyElementsOf(rows(scrapeOfEverything(directory)));
    }

    /** Returns a row for each exported metric, in the order of the names. */
    private static List<String> rows(String scraped) throws IOException {
        Map<String, String> help = new TreeMap<>();
        Map<String, String> type = new TreeMap<>();
        Map<String, Set<String>> labels = new TreeMap<>();
        for (String line : scraped.lines().toList()) {
            if (line.startsWith("# HELP ")) {
                String[] parts = line.split(" ", 4);
                help.put(parts[2], parts[3]);
            } else if (line.startsWith("# TYPE ")) {
                String[] parts = line.split(" ", 4);
                type.put(parts[2], parts[3]);
                labels.put(parts[2], new TreeSet<>());
            } else {
                Matcher sample = SAMPLE.matcher(line);
                assertThat(sample.matches()).as(line).isTrue();
                String name = sample.group(1).replaceFirst("_(bucket|count|sum)$", "");
                Matcher label = LABEL.matcher(sample.group(2) == null ? "" : sample.group(2));
                while (label.find()) {
                    labels.get(name).add(label.group(1));
                }
                labels.get(name).remove("le");
            }
        }
        return help.keySet().stream()
                .map(name ->
                        "| `" + name + "` | " + type.get(name) + " | " + cell(labels.get(name)) + help.get(name) + " |")
                .toList();
    }

    private static String cell(Set<String> labels) {
        return labels.isEmpty() ? "| " : "`" + String.join("`, `", labels) + "` | ";
    }
}
