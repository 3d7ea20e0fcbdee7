package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.hits;
import static dev.penstock.server.EnvoyClient.limit;
import static dev.penstock.server.MetricsIT.decisions;
import static dev.penstock.server.MetricsIT.requests;
import static dev.penstock.server.MetricsIT.scrape;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The metrics of Envoy's requests: each request is counted once by the answer that Envoy got, and never under a label
 * that the request contains.
 */
class EnvoyMetricsIT {
    private static final String RULES = """
            domain: edge
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: 2 } }
              - { key: user, value: vip, rate_limit: { unlimited: true } }
              - { key: user, value: banned, rate_limit: { unit: day, requests_per_unit: 0 } }
              - { key: user, value: watched, shadow_mode: true, rate_limit: { unit: day, requests_per_unit: 0 } }
              - { key: tenant, rate_limit: { unit: year, requests_per_unit: 100 } }
              - { key: model, quota_mode: true, rate_limit: { unit: year, requests_per_unit: 1 } }
            """;

    @TempDir
    private Path directory;

    private TestService withRules(boolean countDenied) throws Exception {
        Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
        return TestService.start(
                directory,
                settings -> settings.withEnvoy(
                        new EnvoySettings(List.of(rules), SameDomain.REFUSED, countDenied, Headers.OFF, false)));
    }

    private static EnvoyClient client(TestService service) {
        return new EnvoyClient(service.port(), "edge");
    }

    @Test
    void rules_areCountedAsTheyDecided_alsoWithoutCounting() throws Exception {
        try (TestService service = withRules(false);
                EnvoyClient envoy = client(service)) {
            envoy.ask(descriptor("user", "ann"));
            envoy.ask(descriptor("user", "vip"));
            envoy.ask(descriptor("user", "watched"));
            envoy.ask(descriptor("nothing", "here"), descriptor("nothing", "there"));
            envoy.ask(descriptor("user", "banned"), descriptor("tenant", "a"));
            envoy.ask(descriptor("tenant", "a"), descriptor("nothing", "here"));
            String scraped = scrape(service);

            assertThat(requests(scraped, "allowed", "store")).isEqualTo(2);
            assertThat(requests(scraped, "allowed", "policy")).isEqualTo(3);
            assertThat(requests(scraped, "denied", "policy")).isEqualTo(1);
            assertThat(requests(scraped, "denied", "store")).isZero();
            assertThat(decisions(scraped, "edge/user", "allowed", "store")).isEqualTo(1);
            assertThat(decisions(scraped, "edge/user=vip", "allowed", "policy")).isEqualTo(1);
            assertThat(decisions(scraped, "edge/user=watched", "shadow_denied", "policy"))
                    .isEqualTo(1);
            assertThat(decisions(scraped, "edge/user=banned", "denied", "policy"))
                    .isEqualTo(1);
            assertThat(decisions(scraped, "edge/tenant", "allowed", "store")).isEqualTo(1);
            assertThat(decisions(scraped, "default", "allowed", "policy")).isEqualTo(1);
        }
    }

    @Test
    void limitsInRequests_shareOneLabel() throws Exception {
        try (TestService service = withRules(false);
                EnvoyClient envoy = client(service)) {
            for (String key : List.of("zebedee", "florence")) {
                RateLimitDescriptor own = limit(descriptor(key, "x"), 1, RateLimitUnit.YEAR);
                envoy.ask(own);
                envoy.ask(own);
                envoy.ask(limit(descriptor(key, "x"), 0, RateLimitUnit.YEAR));
            }
            String scraped = scrape(service);

            assertThat(decisions(scraped, "(override)", "allowed", "store")).isEqualTo(2);
            assertThat(decisions(scraped, "(override)", "denied", "store")).isEqualTo(2);
            assertThat(decisions(scraped, "(override)", "denied", "policy")).isEqualTo(2);
            assertThat(scraped).doesNotContain("zebedee").doesNotContain("florence");
        }
    }

    @Test
    void limitsInRequests_withoutRules_shareOneLabelToo() throws Exception {
        try (TestService service = TestService.start(directory);
                EnvoyClient envoy = new EnvoyClient(service.port(), "brian")) {
            envoy.ask(limit(descriptor("zebedee", "x"), 1, RateLimitUnit.YEAR));
            String scraped = scrape(service);

            assertThat(decisions(scraped, "(override)", "allowed", "store")).isEqualTo(1);
            assertThat(scraped).doesNotContain("zebedee").doesNotContain("brian");
        }
    }

    @Test
    void policies_areCountedByRouteAndPlan() throws Exception {
        try (TestService service = TestService.start(directory);
                EnvoyClient envoy = client(service)) {
            service.write("""
                    version: 1
                    default_plan: free
                    plans: { free: { requests: 1/h }, gold: { requests: 2/h } }
                    tenants: { acme: gold }
                    policies:
                      - { name: api, match: { route: "/api/**" }, limits: [ { key: [tenant], token_bucket: plan.requests } ] }
                    """);
            service.server().reload();
            for (int i = 0; i < 3; i++) {
                envoy.ask(descriptor("route", "/api/x", "tenant", "acme"));
            }
            String scraped = scrape(service);

            assertThat(scraped)
                    .contains("rate_limiter_allowed_total{policy=\"api\",route=\"/api/**\"} 2.0")
                    .contains("http_429_total{plan=\"gold\",region=\"none\",route=\"/api/**\"} 1.0");
        }
    }

    @Test
    void countedDeniedHits_areDenials() throws Exception {
        try (TestService service = withRules(true);
                EnvoyClient envoy = client(service)) {
            envoy.ask(hits(descriptor("user", "ann"), 2), descriptor("tenant", "a"));
            envoy.ask(descriptor("user", "ann"), descriptor("tenant", "a"));
            String scraped = scrape(service);

            assertThat(requests(scraped, "allowed", "store")).isEqualTo(1);
            assertThat(requests(scraped, "denied", "store")).isEqualTo(1);
            assertThat(decisions(scraped, "edge/user", "denied", "store")).isEqualTo(1);
            assertThat(decisions(scraped, "edge/user", "shadow_denied", "store"))
                    .isZero();
            assertThat(decisions(scraped, "edge/tenant", "allowed", "store")).isEqualTo(1);
        }
    }

    @Test
    void quotas_areDeniedOnlyTogether() throws Exception {
        try (TestService service = withRules(false);
                EnvoyClient envoy = client(service)) {
            RateLimitDescriptor one = descriptor("model", "one");
            envoy.ask(one);
            envoy.ask(one, descriptor("model", "two"));
            envoy.ask(one, descriptor("model", "two"));
            String scraped = scrape(service);

            assertThat(requests(scraped, "allowed", "store")).isEqualTo(2);
            assertThat(requests(scraped, "denied", "store")).isEqualTo(1);
            assertThat(decisions(scraped, "edge/model", "allowed", "store")).isEqualTo(1);
            assertThat(decisions(scraped, "edge/model", "shadow_denied", "store"))
                    .isEqualTo(1);
            assertThat(decisions(scraped, "edge/model", "denied", "store")).isEqualTo(1);
        }
    }

    @Test
    void listsAndTheDefault_areCountedAsForOtherCallers() throws Exception {
        try (TestService service = TestService.start(directory);
                EnvoyClient envoy = client(service)) {
            service.write(TestService.POLICIES + "allow: [ { name: good, match: { ip: 192.0.2.0/24 } } ]\n");
            service.server().reload();
            envoy.ask(descriptor("ip", "203.0.113.9"));
            envoy.ask(descriptor("ip", "203.0.113.9"), descriptor("route", "/api/x", "user", "ann"));
            envoy.ask(descriptor("ip", "192.0.2.9"));
            envoy.ask(descriptor("nothing", "here"));
            String scraped = scrape(service);

            assertThat(requests(scraped, "denied", "policy")).isEqualTo(2);
            assertThat(requests(scraped, "allowed", "policy")).isEqualTo(2);
            assertThat(decisions(scraped, "bad", "denied", "policy")).isEqualTo(2);
            assertThat(decisions(scraped, "good", "allowed", "policy")).isEqualTo(1);
            assertThat(decisions(scraped, "default", "allowed", "policy")).isEqualTo(1);
            assertThat(scraped).doesNotContain("policy=\"api\"");
        }
    }
}
