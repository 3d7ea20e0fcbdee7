package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.hits;
import static dev.penstock.server.EnvoyClient.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import dev.penstock.testkit.server.RedisServer;
import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Envoy's service on a real Redis: several nodes, and a store that does not answer. */
class EnvoyRedisIT {
    private static final String RULES = """
            domain: edge
            descriptors:
              - { key: user, rate_limit: { unit: year, requests_per_unit: 40 } }
              - { key: tenant, rate_limit: { unit: year, requests_per_unit: 1000 } }
            """;
    private static final String POLICIES = """
            version: 1
            policies:
              - name: strict
                match: { descriptor: strict }
                limits: [ { key: [strict], fixed_window: 100/d } ]
                on_store_failure: closed
              - name: lenient
                match: { descriptor: lenient }
                limits: [ { key: [lenient], fixed_window: 100/d } ]
                on_store_failure: open
            """;

    /** A script in Redis's slow log: the command, its arguments, and the client that sent it. */
    private static final Pattern SCRIPT = Pattern.compile("(?ims)^(?:eval|evalsha|fcall)$(.*?)^127\\.0\\.0\\.1:\\d+$");

    /** Longer than any caller waits. */
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    @TempDir
    private Path directory;

    private final RedisServer redis = RedisServer.start();
    private final List<AutoCloseable> open = new ArrayList<>();

    private EnvoyClient node(EnvoySettings envoy) throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), POLICIES);
        PenstockServer server = PenstockServer.start(TestService.settings(policies)
                .withRedis(new RedisUri(redis.uri()))
                .withDeadline(DEADLINE)
                .withEnvoy(envoy));
        open.add(server);
        EnvoyClient client = new EnvoyClient(server.port(), "edge");
        open.add(0, client);
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> isDecidedByTheStore(client));
        return client;
    }

    /**
     * A node serves before its connection to Redis is open, and decides by itself until then. This only peeks, so
     * nothing is charged.
     */
    private static boolean isDecidedByTheStore(EnvoyClient client) {
        RateLimitResponse looked =
                client.ask(hits(descriptor("user", "nobody"), 0), hits(descriptor("lenient", "nobody"), 0));
        return looked.getDynamicMetadata()
                .getFieldsOrThrow("decided_by")
                .getStringValue()
                .equals("store");
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        redis.close();
    }

    @Test
    void twoNodes_allowExactlyTheLimit_andDeniedRequestsConsumeNothing() throws Exception {
        Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
        EnvoySettings envoy = new EnvoySettings(List.of(rules), SameDomain.REFUSED, false, Headers.OFF, true);
        List<EnvoyClient> nodes = List.of(node(envoy), node(envoy));

        List<CompletableFuture<Long>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            EnvoyClient node = nodes.get(i % 2);
            callers.add(CompletableFuture.supplyAsync(() -> admitted(node, 25)));
        }
        long admitted = callers.stream().mapToLong(CompletableFuture::join).sum();

        assertThat(admitted).isEqualTo(40);
        assertThat(told(nodes.get(0).ask(hits(descriptor("tenant", "a"), 0)))).isEqualTo("OK 960");
    }

    private static long admitted(EnvoyClient node, int asks) {
        long admitted = 0;
        for (int i = 0; i < asks; i++) {
            RateLimitResponse response = node.ask(descriptor("tenant", "a"), descriptor("user", "ann"));
            admitted += response.getOverallCode() == Code.OK ? 1 : 0;
        }
        return admitted;
    }

    @Test
    void allDescriptors_areDecidedInOneRoundTrip() throws Exception {
        Path rules = Files.writeString(directory.resolve("rules.yaml"), RULES);
        EnvoyClient node = node(new EnvoySettings(List.of(rules), SameDomain.REFUSED, false, Headers.OFF, true));
        redis.command("CONFIG", "SET", "slowlog-log-slower-than", "0", "slowlog-max-len", "1000");
        redis.command("SLOWLOG", "RESET");

        for (int i = 1; i <= 5; i++) {
            RateLimitResponse all = node.ask(
                    descriptor("tenant", "a"),
                    descriptor("user", "ann"),
                    descriptor("user", "bob"),
                    hits(descriptor("tenant", "b"), 2));
            assertThat(told(all))
                    .isEqualTo("OK " + (1000 - i) + ", OK " + (40 - i) + ", OK " + (40 - i) + ", OK " + (1000 - 2 * i));
        }
        assertThat(decidingScripts()).isEqualTo(5);
    }

    /**
     * Counts the scripts that made decisions, however they were called. Each call is one round trip. Occasional scripts
     * on the keys of the fleet do not count.
     */
    private long decidingScripts() {
        return SCRIPT.matcher(redis.command("SLOWLOG", "GET", "1000"))
                .results()
                .filter(script -> !script.group(1).contains(":{fleet}"))
                .count();
    }

    @Test
    void silentStore_failureModesAnswer_withinTheCallersTimeout() throws Exception {
        EnvoyClient node = node(new EnvoySettings(List.of(), SameDomain.REFUSED, false, Headers.OFF, true));
        assertThat(told(node.ask(descriptor("strict", "a"), descriptor("lenient", "a"))))
                .isEqualTo("OK 99, OK 99");
        redis.pause();
        try {
            RateLimitResponse closed = within(node, descriptor("strict", "a"), descriptor("lenient", "a"));
            RateLimitResponse opened = within(node, descriptor("lenient", "a"));

            assertThat(closed.getOverallCode()).isEqualTo(Code.OVER_LIMIT);
            assertThat(told(closed)).isEqualTo("OVER_LIMIT, OK");
            assertThat(opened.getOverallCode()).isEqualTo(Code.OK);
            assertThat(told(opened)).isEqualTo("OK");
        } finally {
            redis.resume();
        }
    }

    private static RateLimitResponse within(EnvoyClient node, RateLimitDescriptor... descriptors) {
        return node.stub().withDeadlineAfter(4, TimeUnit.SECONDS).shouldRateLimit(node.request(descriptors));
    }

    /** A charge in shadow mode that no share covers must not pass. */
    @Test
    void countDenied_withoutTheStore_deniesRequestsWithoutAShare() throws Exception {
        Path rules = Files.writeString(directory.resolve("rules.yaml"), """
                domain: edge
                descriptors:
                  - { key: user, rate_limit: { unit: year, requests_per_unit: 40 } }
                  - { key: model, quota_mode: true, rate_limit: { unit: year, requests_per_unit: 40 } }
                """);
        Path policies = Files.writeString(directory.resolve("policies.yaml"), POLICIES);
        for (boolean countDenied : new boolean[] {true, false}) {
            PenstockServer server = PenstockServer.start(TestService.settings(policies)
                    .withRedis(new RedisUri("redis://127.0.0.1:1"))
                    .withNodes(4)
                    .withEnvoy(new EnvoySettings(List.of(rules), SameDomain.REFUSED, countDenied, Headers.OFF, false)));
            try (server;
                    EnvoyClient client = new EnvoyClient(server.port(), "edge")) {
                for (String key : List.of("user", "model")) {
                    RateLimitDescriptor aboveTheShare = hits(descriptor(key, "ann"), 11);
                    assertThat(client.ask(aboveTheShare).getOverallCode())
                            .as("%s, counting denied: %s", key, countDenied)
                            .isEqualTo(Code.OVER_LIMIT);
                    assertThat(client.ask(hits(descriptor(key, "ann"), 0)).getOverallCode())
                            .as("peeks only")
                            .isEqualTo(Code.OK);
                }
            }
        }
    }
}
