package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.hits;
import static dev.penstock.server.EnvoyClient.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effect of the service's settings on files of envoyproxy/ratelimit, and the reload of such files. */
class EnvoyRulesSettingsIT {
    private static final String DOMAIN = "edge";
    private static final String RULES = """
            domain: edge
            descriptors:
              - key: user
                rate_limit: { unit: year, requests_per_unit: 3 }
              - key: user
                value: vip
                rate_limit: { unlimited: true }
              - key: user
                value: bot*
                rate_limit: { unit: year, requests_per_unit: 1 }
              - key: user
                value: banned
                rate_limit: { unit: day, requests_per_unit: 0 }
              - key: user
                value: watched
                shadow_mode: true
                rate_limit: { unit: year, requests_per_unit: 1 }
              - key: tenant
                rate_limit: { unit: year, requests_per_unit: 5 }
            """;

    @TempDir
    private Path directory;

    private PenstockServer service;
    private EnvoyClient envoy;

    private void start(boolean countDenied, Headers headers, boolean metadata) throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), "version: 1\n");
        Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
        service = PenstockServer.start(TestService.settings(policies)
                .withEnvoy(new EnvoySettings(List.of(rules), SameDomain.REFUSED, countDenied, headers, metadata)));
        envoy = new EnvoyClient(service.port(), DOMAIN);
    }

    @AfterEach
    void stop() {
        envoy.close();
        service.close();
    }

    @Test
    void countDenied_chargesEveryDescriptor_evenIfDenied() throws Exception {
        start(true, Headers.OFF, false);
        envoy.ask(descriptor("user", "bot-1"));

        RateLimitResponse denied = envoy.ask(descriptor("tenant", "a"), descriptor("user", "bot-1"));
        RateLimitResponse banned = envoy.ask(descriptor("tenant", "a"), descriptor("user", "banned"));

        assertThat(denied.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(told(denied)).isEqualTo("OK 4, OVER_LIMIT 0");
        assertThat(told(banned)).isEqualTo("OK 3, OVER_LIMIT 0");
        assertThat(told(envoy.ask(descriptor("tenant", "a")))).isEqualTo("OK 2");
    }

    @Test
    void countDenied_withSeveralHits_leavesNothing() throws Exception {
        start(true, Headers.OFF, false);

        assertThat(told(envoy.ask(hits(descriptor("user", "ann"), 2)))).isEqualTo("OK 1");
        assertThat(told(envoy.ask(hits(descriptor("user", "ann"), 2)))).isEqualTo("OVER_LIMIT 0");
        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OVER_LIMIT 0");
    }

    @Test
    void headers_asNumbers_describeTheDescriptorWithTheLeastLeft() throws Exception {
        start(false, Headers.NUMBERS, false);

        RateLimitResponse allowed =
                envoy.ask(descriptor("tenant", "a"), descriptor("user", "ann"), descriptor("user", "vip"));
        RateLimitResponse denied = envoy.ask(descriptor("tenant", "a"), descriptor("user", "banned"));
        RateLimitResponse nothing = envoy.ask(descriptor("nothing", "here"));

        assertThat(EnvoyHeaders.of(allowed))
                .containsEntry("RateLimit-Limit", "3")
                .containsEntry("RateLimit-Remaining", "2")
                .containsKey("RateLimit-Reset")
                .hasSize(3);
        assertThat(Long.parseLong(EnvoyHeaders.of(allowed).get("RateLimit-Reset")))
                .isEqualTo(allowed.getStatuses(1).getDurationUntilReset().getSeconds());
        assertThat(EnvoyHeaders.of(denied))
                .containsEntry("RateLimit-Limit", "0")
                .containsEntry("RateLimit-Remaining", "0");
        assertThat(nothing.getResponseHeadersToAddList()).isEmpty();
    }

    @Test
    void metadata_namesTheRules() throws Exception {
        start(false, Headers.OFF, true);
        envoy.ask(descriptor("user", "watched"), descriptor("user", "bot-1"));

        RateLimitResponse denied =
                envoy.ask(descriptor("user", "watched"), descriptor("user", "bot-1"), descriptor("user", "banned"));

        assertThat(EnvoyHeaders.metadata(denied, "denied_by"))
                .containsExactlyInAnyOrder(DOMAIN + "/user=bot*", DOMAIN + "/user=banned");
        assertThat(EnvoyHeaders.metadata(denied, "shadow_denied_by")).containsExactly(DOMAIN + "/user=watched");
        assertThat(denied.getDynamicMetadata().getFieldsOrThrow("decided_by").getStringValue())
                .isEqualTo("store");
    }

    @Test
    void changedRules_areLoaded_andBadOnesAreNot() throws Exception {
        start(false, Headers.OFF, false);
        Path rules = directory.resolve("rules.yaml");
        Files.writeString(rules, RULES + "foo: bar\n");
        service.reload();
        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OK 2");

        Files.writeString(rules, RULES.replace("requests_per_unit: 3", "requests_per_unit: 7"));
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(envoy.ask(hits(descriptor("user", "ann"), 0))
                                .getStatuses(0)
                                .getLimitRemaining())
                        .isEqualTo(6));
    }
}
