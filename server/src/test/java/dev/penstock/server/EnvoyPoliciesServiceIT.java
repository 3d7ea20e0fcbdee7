package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.hits;
import static dev.penstock.server.EnvoyClient.limit;
import static dev.penstock.server.EnvoyClient.told;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit.Unit;
import io.envoyproxy.envoy.type.v3.RateLimitUnit;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Envoy's service with policies: each descriptor is a separate request, and all are decided together. */
class EnvoyPoliciesServiceIT {
    /** Counters include the domain, and each test uses its own. */
    private static final String POLICIES = """
            version: 1
            deny: [ { name: crawlers, match: { agent: bad } } ]
            policies:
              - name: users
                match: { descriptor: user }
                limits: [ { key: [domain, user], fixed_window: 3/d } ]
              - name: burst
                match: { descriptor: burst }
                limits: [ { key: [domain], token_bucket: 60/min, burst: 5 } ]
              - name: minute
                match: { descriptor: minute }
                limits: [ { key: [domain], token_bucket: 60/min } ]
              - name: month
                match: { descriptor: month }
                limits: [ { key: [domain], fixed_window: 100 per calendar month } ]
              - name: routes
                match: { route: /files/**, method: GET }
                limits: [ { key: [domain, route], fixed_window: 2/d } ]
              - name: watched
                match: { descriptor: watched }
                mode: shadow
                limits: [ { key: [domain], fixed_window: 1/d } ]
              - name: secret
                match: { descriptor: secret }
                limits: [ { key: [domain], fixed_window: 1/d, expose: false } ]
              - name: two
                match: { descriptor: two }
                limits:
                  - { key: [domain, two], fixed_window: 2/d }
                  - { key: [domain], fixed_window: 10/d }
              - name: everybody
                match: { shared: yes }
                limits: [ { key: [domain], fixed_window: 3/d } ]
              - name: queue
                match: { descriptor: queue }
                limits: [ { key: [domain], leaky_bucket: 1/min, queue: 5 } ]
              - name: blocking
                match: { descriptor: blocking }
                limits: [ { key: [domain], fixed_window: 100/d, block_for: 1m } ]
            """;

    private static final AtomicInteger TESTS = new AtomicInteger();

    @TempDir
    private static Path directory;

    private static PenstockServer server;

    private final EnvoyClient envoy = new EnvoyClient(server.port(), "edge-" + TESTS.incrementAndGet());

    @BeforeAll
    static void start() throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), POLICIES);
        server = PenstockServer.start(TestService.settings(policies)
                .withEnvoy(new EnvoySettings(List.of(), SameDomain.REFUSED, false, Headers.FIELDS, true)));
    }

    @AfterEach
    void disconnect() {
        envoy.close();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private RateLimit limitOf(String key) {
        return envoy.ask(descriptor(key, "x")).getStatuses(0).getCurrentLimit();
    }

    @Test
    void entries_areAttributes_andThePolicyIsReported() {
        RateLimitResponse first = envoy.ask(descriptor("user", "ann"));
        envoy.ask(hits(descriptor("user", "ann"), 2));
        RateLimitResponse denied = envoy.ask(descriptor("user", "ann"));

        assertThat(first.getOverallCode()).isEqualTo(Code.OK);
        assertThat(told(first)).isEqualTo("OK 2");
        RateLimit limit = first.getStatuses(0).getCurrentLimit();
        assertThat(limit.getName()).isEqualTo("users");
        assertThat(limit.getRequestsPerUnit()).isEqualTo(3);
        assertThat(limit.getUnit()).isEqualTo(Unit.DAY);
        assertThat(first.getStatuses(0).getDurationUntilReset().getSeconds()).isBetween(1L, 86_400L);
        assertThat(denied.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(told(denied)).isEqualTo("OVER_LIMIT 0");
        assertThat(envoy.passes("user", "bob")).isTrue();
    }

    @Test
    void routeAndMethod_areReadAsInOtherApis() {
        assertThat(told(envoy.ask(descriptor("route", "/files/a", "method", "GET"))))
                .isEqualTo("OK 1");
        assertThat(told(envoy.ask(descriptor("method", "GET", "route", "/files/b?x=1"))))
                .as("the same route")
                .isEqualTo("OK 0");
        assertThat(told(envoy.ask(descriptor("route", "/files/a", "method", "PUT"))))
                .isEqualTo("OK");
    }

    @Test
    void rate_isInEnvoysUnits_ifThereIsOne() {
        assertThat(limitOf("minute").getUnit()).isEqualTo(Unit.MINUTE);
        assertThat(limitOf("minute").getRequestsPerUnit()).isEqualTo(60);
        assertThat(limitOf("month").getUnit()).isEqualTo(Unit.MONTH);
        assertThat(limitOf("burst").getUnit()).isEqualTo(Unit.UNKNOWN);
        assertThat(limitOf("burst").getRequestsPerUnit()).isEqualTo(5);
    }

    @Test
    void deniedRequest_consumesNothing() {
        envoy.ask(hits(descriptor("user", "ann"), 3));

        RateLimitResponse denied = envoy.ask(descriptor("two", "a"), descriptor("user", "ann"), descriptor("none", ""));

        assertThat(denied.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(told(denied)).isEqualTo("OK 2, OVER_LIMIT 0, OK");
        assertThat(told(envoy.ask(descriptor("two", "a")))).isEqualTo("OK 1");
    }

    @Test
    void denyList_denies_andConsumesNothing() {
        RateLimitResponse denied = envoy.ask(descriptor("user", "ann"), descriptor("agent", "bad"));

        assertThat(denied.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(told(denied)).isEqualTo("OK 3, OVER_LIMIT");
        assertThat(EnvoyHeaders.metadata(denied, "denied_by")).containsExactly("crawlers");
        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OK 2");
    }

    @Test
    void denyList_overridesALimitInTheRequest() {
        RateLimitDescriptor generous = limit(descriptor("agent", "bad"), 1_000, RateLimitUnit.SECOND);

        assertThat(envoy.ask(generous).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
    }

    @Test
    void limitInTheRequest_replacesThePolicies() {
        RateLimitDescriptor narrow = limit(descriptor("user", "ann"), 1, RateLimitUnit.YEAR);

        RateLimitResponse first = envoy.ask(narrow);

        assertThat(first.getStatuses(0).getCurrentLimit().getUnit()).isEqualTo(Unit.YEAR);
        assertThat(told(first)).isEqualTo("OK 0");
        assertThat(told(envoy.ask(narrow))).isEqualTo("OVER_LIMIT 0");
        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OK 2");
    }

    @Test
    void severalLimitsOfOneDescriptor_reportTheMostPressing() {
        assertThat(told(envoy.ask(descriptor("two", "a")))).isEqualTo("OK 1");
        envoy.ask(descriptor("two", "a"));
        RateLimitResponse denied = envoy.ask(descriptor("two", "a"));

        assertThat(told(denied)).isEqualTo("OVER_LIMIT 0");
        assertThat(denied.getStatuses(0).getCurrentLimit().getRequestsPerUnit()).isEqualTo(2);
    }

    @Test
    void limitOfSeveralDescriptors_isChargedForEach() {
        RateLimitDescriptor one = descriptor("shared", "yes", "a", "1");
        RateLimitDescriptor other = descriptor("shared", "yes", "b", "1");

        assertThat(told(envoy.ask(one, other))).isEqualTo("OK 2, OK 1");
        assertThat(envoy.ask(one, other).getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(told(envoy.ask(one))).isEqualTo("OK 0");
    }

    @Test
    void repeatedKey_hasItsLastValue() {
        RateLimitDescriptor repeated = descriptor("user", "ann", "user", "bob");
        RateLimitDescriptor shared = descriptor("shared", "no", "shared", "yes");

        assertThat(told(envoy.ask(repeated))).as("of another depth").isEqualTo("OK");
        assertThat(told(envoy.ask(shared))).isEqualTo("OK 2");
    }

    @Test
    void domainAndDescriptor_cannotBeForgedByEntries() {
        envoy.ask(hits(descriptor("user", "ann"), 3));

        assertThat(told(envoy.ask(descriptor("user", "ann", "domain", "other", "descriptor", "user"))))
                .as("the keys are user/domain/descriptor")
                .isEqualTo("OK");
    }

    @Test
    void shadow_passes_andAppearsOnlyInTheMetadata() {
        envoy.ask(descriptor("watched", "x"));
        RateLimitResponse second = envoy.ask(descriptor("watched", "x"));

        assertThat(second.getOverallCode()).isEqualTo(Code.OK);
        assertThat(told(second)).isEqualTo("OK");
        assertThat(EnvoyHeaders.metadata(second, "denied_by")).isEmpty();
        assertThat(EnvoyHeaders.metadata(second, "shadow_denied_by")).containsExactly("watched");
    }

    @Test
    void hiddenLimit_denies_andIsNotReported() {
        envoy.ask(descriptor("secret", "x"));
        RateLimitResponse denied = envoy.ask(descriptor("secret", "x"));

        assertThat(denied.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
        assertThat(told(denied)).isEqualTo("OVER_LIMIT");
        assertThat(EnvoyHeaders.of(denied)).doesNotContainKeys("RateLimit", "X-RateLimit-Limit");
    }

    @Test
    void leakyBucket_allowsOnlyRequestsWithoutDelay() {
        assertThat(envoy.passes("queue", "x")).isTrue();
        assertThat(envoy.passes("queue", "x")).isFalse();
    }

    @Test
    void headers_areTheSameAsForGateways() {
        RateLimitResponse allowed = envoy.ask(descriptor("user", "ann"));
        envoy.ask(hits(descriptor("user", "ann"), 2));
        RateLimitResponse denied = envoy.ask(descriptor("user", "ann"));

        assertThat(EnvoyHeaders.of(allowed))
                .containsEntry("RateLimit-Policy", "\"users\";q=3;w=86400")
                .containsEntry("X-RateLimit-Limit", "3")
                .containsEntry("X-RateLimit-Remaining", "2")
                .doesNotContainKey("Retry-After");
        assertThat(EnvoyHeaders.of(denied))
                .containsKeys("RateLimit", "X-RateLimit-Reset", "Retry-After")
                .containsEntry("Cache-Control", "no-store");
    }

    @Test
    void metadata_namesThePolicies() {
        envoy.ask(hits(descriptor("user", "ann"), 3));
        RateLimitResponse denied = envoy.ask(descriptor("user", "ann"));

        assertThat(EnvoyHeaders.metadata(denied, "denied_by")).containsExactly("users");
        assertThat(denied.getDynamicMetadata().getFieldsOrThrow("policies").getStringValue())
                .isEqualTo(server.policies().version().hash());
        assertThat(denied.getDynamicMetadata()
                        .getFieldsOrThrow("retry_after_ms")
                        .getNumberValue())
                .isBetween(1.0, 86_400_000.0);
    }

    @Test
    void limitsWithABlock_countTwice() {
        RateLimitDescriptor[] many =
                Collections.nCopies(33, descriptor("blocking", "x")).toArray(RateLimitDescriptor[]::new);

        assertThatThrownBy(() -> envoy.ask(many))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT))
                .hasMessageContaining("descriptors: 66 limits and blocks (expected: at most 64 in all descriptors)");
    }

    @Test
    void tooManyCharges_areRefused() {
        RateLimitDescriptor[] many =
                Collections.nCopies(65, descriptor("user", "ann")).toArray(RateLimitDescriptor[]::new);

        assertThatThrownBy(() -> envoy.ask(many))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT))
                .hasMessageContaining("descriptors: 65 limits (expected: at most 64 in all descriptors)");
        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OK 2");
    }
}
