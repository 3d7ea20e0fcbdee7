package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.hits;
import static dev.penstock.server.EnvoyClient.limit;
import static dev.penstock.server.EnvoyClient.told;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.util.Durations;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.DescriptorStatus;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit.Unit;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Envoy's service with files of envoyproxy/ratelimit, called with grpc-java over a real socket. It must behave as
 * envoyproxy/ratelimit does.
 */
class EnvoyRulesServiceIT {
    private static final String RULES = """
            domain: DOMAIN
            descriptors:
              - key: user
                rate_limit: { unit: year, requests_per_unit: 3, name: per-user }
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
              - key: user
                value: shadow-banned
                shadow_mode: true
                rate_limit: { unit: year, requests_per_unit: 0 }
              - key: path
                descriptors:
                  - key: method
                    rate_limit: { unit: year, requests_per_unit: 2 }
              - key: tenant
                rate_limit: { unit: year, requests_per_unit: 5, name: tenants }
              - key: plan
                rate_limit: { unit: year, requests_per_unit: 100, replaces: [ { name: tenants } ] }
              - key: shared
                value: group*
                share_threshold: true
                rate_limit: { unit: year, requests_per_unit: 2 }
              - key: model
                quota_mode: true
                rate_limit: { unit: year, requests_per_unit: 1 }
              - key: second
                rate_limit: { unit: second, requests_per_unit: 1000 }
              - key: minute
                rate_limit: { unit: MINUTE, requests_per_unit: 1000 }
              - key: hour
                rate_limit: { unit: Hour, requests_per_unit: 1000 }
              - key: week
                rate_limit: { unit: week, requests_per_unit: 1000 }
              - key: month
                rate_limit: { unit: month, requests_per_unit: 1000 }
            """;

    /** Each test has its own domain, so that all can use one service. */
    private static final int MOST_TESTS = 60;

    private static final AtomicInteger TESTS = new AtomicInteger();

    @TempDir
    private static Path directory;

    private static PenstockServer shared;

    private final String domain = "edge-" + TESTS.incrementAndGet();
    private EnvoyClient envoy;

    @BeforeAll
    static void startShared() throws Exception {
        Files.writeString(directory.resolve("policies.yaml"), "version: 1\n");
        Path rules = Files.createDirectory(directory.resolve("rules"));
        for (int i = 1; i <= MOST_TESTS; i++) {
            Files.writeString(rules.resolve(i + ".yaml"), RULES.replace("DOMAIN", "edge-" + i));
        }
        shared = PenstockServer.start(TestService.settings(directory.resolve("policies.yaml"))
                .withEnvoy(new EnvoySettings(List.of(rules), SameDomain.REFUSED, false, Headers.OFF, false)));
    }

    @BeforeEach
    void connect() {
        envoy = new EnvoyClient(shared.port(), domain);
    }

    @AfterEach
    void disconnect() {
        envoy.close();
    }

    @AfterAll
    static void stopShared() {
        shared.close();
    }

    @Test
    void limit_isReported_andEnforced() {
        RateLimitResponse first = envoy.ask(descriptor("user", "ann"));
        envoy.ask(descriptor("user", "ann"));
        RateLimitResponse third = envoy.ask(descriptor("user", "ann"));
        RateLimitResponse fourth = envoy.ask(descriptor("user", "ann"));

        assertThat(first.getOverallCode()).isEqualTo(Code.OK);
        DescriptorStatus status = first.getStatuses(0);
        assertThat(status.getCode()).isEqualTo(Code.OK);
        assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(3);
        assertThat(status.getCurrentLimit().getUnit()).isEqualTo(Unit.YEAR);
        assertThat(status.getCurrentLimit().getName()).isEqualTo("per-user");
        assertThat(status.getLimitRemaining()).isEqualTo(2);
        assertThat(status.getDurationUntilReset().getSeconds())
                .isBetween(1L, Duration.ofDays(365).toSeconds());
        assertThat(first.getResponseHeadersToAddList()).isEmpty();
        assertThat(first.hasDynamicMetadata()).isFalse();
        assertThat(told(third)).isEqualTo("OK 0");
        assertThat(fourth.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(told(fourth)).isEqualTo("OVER_LIMIT 0");
        assertThat(envoy.passes("user", "bob")).isTrue();
    }

    @ParameterizedTest
    @CsvSource({"second,SECOND,1", "minute,MINUTE,60", "hour,HOUR,3600", "week,WEEK,604800", "month,MONTH,2592000"})
    void unit_isReported_withTheRestOfItsWindow(String key, Unit unit, long seconds) {
        DescriptorStatus status = envoy.ask(descriptor(key, "x")).getStatuses(0);

        assertThat(status.getCurrentLimit().getUnit()).isEqualTo(unit);
        assertThat(status.getDurationUntilReset().getSeconds()).isBetween(1L, seconds);
        assertThat(Durations.toNanos(status.getDurationUntilReset()) % 1_000_000_000)
                .isZero();
    }

    @Test
    void statuses_areInTheOrderOfTheDescriptors() {
        RateLimitResponse response = envoy.ask(
                descriptor("nothing", "here"),
                descriptor("user", "vip"),
                descriptor("user", "ann"),
                descriptor("user", "banned"),
                descriptor("user", "bot-1"));

        assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(told(response)).isEqualTo("OK, OK, OK 3, OVER_LIMIT 0, OK 1");
    }

    @Test
    void deniedRequest_consumesNothing() {
        envoy.ask(descriptor("user", "bot-1"));
        for (int i = 0; i < 5; i++) {
            RateLimitResponse response = envoy.ask(descriptor("user", "ann"), descriptor("user", "bot-1"));
            assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
            assertThat(told(response)).isEqualTo("OK 3, OVER_LIMIT 0");
        }
        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OK 2");
    }

    @Test
    void requestDeniedByARuleThatAllowsNothing_consumesNothing() {
        envoy.ask(descriptor("user", "ann"), descriptor("user", "banned"));

        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OK 2");
    }

    @Test
    void deniedRequest_withSeveralHits_consumesNothing() {
        assertThat(told(envoy.ask(hits(descriptor("user", "ann"), 2)))).isEqualTo("OK 1");
        assertThat(told(envoy.ask(hits(descriptor("user", "ann"), 2)))).isEqualTo("OVER_LIMIT 1");
        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OK 0");
    }

    @Test
    void nothingMatches_passes_withoutALimit() {
        RateLimitResponse unknownKey = envoy.ask(descriptor("nothing", "here"));
        RateLimitResponse unknownDomain = envoy.ask(envoy.request(descriptor("user", "ann")).toBuilder()
                .setDomain("other")
                .build());

        assertThat(unknownKey.getOverallCode()).isEqualTo(Code.OK);
        assertThat(told(unknownKey)).isEqualTo("OK");
        assertThat(told(unknownDomain)).isEqualTo("OK");
        assertThat(unknownDomain.getOverallCode()).isEqualTo(Code.OK);
    }

    @Test
    void depth_mustMatchTheRule() {
        assertThat(told(envoy.ask(descriptor("path", "/a")))).isEqualTo("OK");
        assertThat(told(envoy.ask(descriptor("path", "/a", "method", "GET")))).isEqualTo("OK 1");
        assertThat(told(envoy.ask(descriptor("path", "/a", "method", "GET", "user", "ann"))))
                .isEqualTo("OK");
        assertThat(told(envoy.ask(descriptor("user", "ann", "path", "/a")))).isEqualTo("OK");
    }

    @Test
    void unlimited_passes_withTheMaximumRemaining() {
        for (int i = 0; i < 10; i++) {
            DescriptorStatus status = envoy.ask(descriptor("user", "vip")).getStatuses(0);
            assertThat(status.getCode()).isEqualTo(Code.OK);
            assertThat(status.hasCurrentLimit()).isFalse();
            assertThat(Integer.toUnsignedLong(status.getLimitRemaining())).isEqualTo(0xffff_ffffL);
        }
    }

    @Test
    void zeroRequestsPerUnit_denies_exceptPeeks() {
        RateLimitResponse response = envoy.ask(descriptor("user", "banned"));

        assertThat(response.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(response.getStatuses(0).getCurrentLimit().getRequestsPerUnit())
                .isZero();
        assertThat(response.getStatuses(0).getCurrentLimit().getUnit()).isEqualTo(Unit.DAY);
        assertThat(response.getStatuses(0).getDurationUntilReset().getSeconds()).isBetween(1L, 86_400L);
        assertThat(told(envoy.ask(hits(descriptor("user", "banned"), 0)))).isEqualTo("OK 0");
    }

    @Test
    void wildcard_countsEachValue_unlessItIsShared() {
        assertThat(told(envoy.ask(descriptor("user", "bot-1")))).isEqualTo("OK 0");
        assertThat(told(envoy.ask(descriptor("user", "bot-2")))).isEqualTo("OK 0");
        assertThat(told(envoy.ask(descriptor("shared", "group-1")))).isEqualTo("OK 1");
        assertThat(told(envoy.ask(descriptor("shared", "group-2")))).isEqualTo("OK 0");
        assertThat(told(envoy.ask(descriptor("shared", "group-3")))).isEqualTo("OVER_LIMIT 0");
    }

    @Test
    void shadow_passes_withNothingRemaining() {
        assertThat(told(envoy.ask(descriptor("user", "watched")))).isEqualTo("OK 0");
        RateLimitResponse second = envoy.ask(descriptor("user", "watched"));
        RateLimitResponse banned = envoy.ask(descriptor("user", "shadow-banned"));

        assertThat(second.getOverallCode()).isEqualTo(Code.OK);
        assertThat(told(second)).isEqualTo("OK 0");
        assertThat(banned.getOverallCode()).isEqualTo(Code.OK);
        assertThat(told(banned)).isEqualTo("OK 0");
    }

    @Test
    void replacedRule_isIgnored() {
        assertThat(told(envoy.ask(descriptor("tenant", "a"), descriptor("plan", "gold"))))
                .isEqualTo("OK, OK 99");
        assertThat(told(envoy.ask(descriptor("tenant", "a")))).isEqualTo("OK 4");
    }

    @Test
    void hitsAddend_ofTheRequest_defaultsToOne() {
        assertThat(told(envoy.ask(envoy.request(descriptor("tenant", "a")).toBuilder()
                        .setHitsAddend(0)
                        .build())))
                .isEqualTo("OK 4");
        assertThat(told(envoy.ask(envoy.request(descriptor("tenant", "a")).toBuilder()
                        .setHitsAddend(3)
                        .build())))
                .isEqualTo("OK 1");
        assertThat(told(envoy.ask(envoy.request(descriptor("tenant", "a")).toBuilder()
                        .setHitsAddend(-1)
                        .build())))
                .as("4294967295, unsigned")
                .isEqualTo("OVER_LIMIT 1");
    }

    @Test
    void hitsAddend_ofADescriptor_overridesTheRequest_andZeroPeeks() {
        RateLimitDescriptor looks = hits(descriptor("user", "ann"), 0);

        RateLimitResponse response = envoy.ask(
                envoy.request(hits(descriptor("tenant", "a"), 2), looks, descriptor("user", "bob")).toBuilder()
                        .setHitsAddend(3)
                        .build());

        assertThat(told(response)).isEqualTo("OK 3, OK 3, OK 0");
        envoy.ask(hits(descriptor("user", "ann"), 3));
        assertThat(told(envoy.ask(looks))).as("nothing left, nothing requested").isEqualTo("OK 0");
    }

    @Test
    void sameDescriptorTwice_isChargedTwice() {
        assertThat(told(envoy.ask(descriptor("user", "ann"), descriptor("user", "ann"))))
                .isEqualTo("OK 2, OK 1");
        assertThat(envoy.ask(descriptor("user", "ann"), descriptor("user", "ann"))
                        .getOverallCode())
                .isEqualTo(Code.OVER_LIMIT);
        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OK 0");
    }

    @Test
    void limitInTheRequest_replacesTheRule_alsoInShadow() {
        RateLimitDescriptor wider = limit(descriptor("user", "ann"), 10, RateLimitUnit.DAY);

        DescriptorStatus status = envoy.ask(wider).getStatuses(0);

        assertThat(status.getCurrentLimit().getRequestsPerUnit()).isEqualTo(10);
        assertThat(status.getCurrentLimit().getUnit()).isEqualTo(Unit.DAY);
        assertThat(status.getLimitRemaining()).isEqualTo(9);
        assertThat(told(envoy.ask(limit(descriptor("no", "rule"), 1, RateLimitUnit.YEAR))))
                .isEqualTo("OK 0");
        assertThat(told(envoy.ask(limit(descriptor("no", "rule"), 1, RateLimitUnit.YEAR))))
                .isEqualTo("OVER_LIMIT 0");
        RateLimitDescriptor watched = limit(descriptor("user", "watched"), 1, RateLimitUnit.MONTH);
        envoy.ask(watched);
        assertThat(envoy.ask(watched).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(told(envoy.ask(limit(descriptor("user", "ann"), 0, RateLimitUnit.DAY))))
                .isEqualTo("OVER_LIMIT 0");
    }

    @Test
    void limitsInTheRequest_countSeparately() {
        RateLimitDescriptor one = limit(descriptor("one", "x"), 5, RateLimitUnit.YEAR);
        RateLimitDescriptor two = limit(descriptor("two", "x"), 3, RateLimitUnit.YEAR);
        RateLimitDescriptor three = limit(descriptor("two", "y"), 1, RateLimitUnit.YEAR);

        assertThat(told(envoy.ask(one, two, three))).isEqualTo("OK 4, OK 2, OK 0");
        assertThat(told(envoy.ask(three, two))).isEqualTo("OVER_LIMIT 0, OK 2");
        assertThat(told(envoy.ask(two, one))).isEqualTo("OK 1, OK 3");
    }

    @Test
    void limitInTheRequest_inAnUnknownDomain_isIgnored() {
        RateLimitDescriptor unruled = limit(descriptor("no", "rule"), 0, RateLimitUnit.YEAR);

        assertThat(told(envoy.ask(
                        envoy.request(unruled).toBuilder().setDomain("other").build())))
                .isEqualTo("OK");
    }

    @Test
    void quotas_denyOnlyIfAllAreOver_andThenConsumeNothing() {
        RateLimitDescriptor one = descriptor("model", "one");
        RateLimitDescriptor two = descriptor("model", "two");

        assertThat(told(envoy.ask(one))).isEqualTo("OK 0");
        assertThat(envoy.ask(one).getOverallCode()).as("the only one").isEqualTo(Code.OVER_LIMIT);
        RateLimitResponse oneIsOver = envoy.ask(one, two, descriptor("tenant", "a"));
        assertThat(oneIsOver.getOverallCode()).isEqualTo(Code.OK);
        assertThat(told(oneIsOver)).isEqualTo("OVER_LIMIT 0, OK 0, OK 4");
        RateLimitResponse bothAreOver = envoy.ask(one, two, descriptor("tenant", "a"));
        assertThat(bothAreOver.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(told(envoy.ask(descriptor("tenant", "a")))).as("returned").isEqualTo("OK 3");
    }
}
