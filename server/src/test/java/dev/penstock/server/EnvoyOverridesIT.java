package dev.penstock.server;

import static dev.penstock.server.EnvoyClient.descriptor;
import static dev.penstock.server.EnvoyClient.told;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Request;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import dev.penstock.server.EnvoySettings.Headers;
import dev.penstock.spi.Key;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.Code;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Overrides by operators also apply to Envoy's requests. */
class EnvoyOverridesIT {
    private static final Duration HOUR = Duration.ofHours(1);

    @TempDir
    private Path directory;

    private PenstockServer service;
    private EnvoyClient envoy;

    private void start(List<String> rules) throws Exception {
        Path policies = Files.writeString(directory.resolve("policies.yaml"), """
                version: 1
                deny:
                  - { name: outcasts, match: { user: outcast } }
                policies:
                  - { name: users, match: { kind: envoy }, limits: [ { key: [user], token_bucket: 1/d } ] }
                """);
        Path file = directory.resolve("rules.yaml");
        Files.write(file, rules);
        EnvoySettings settings = new EnvoySettings(
                rules.isEmpty() ? List.of() : List.of(file), SameDomain.REFUSED, false, Headers.OFF, false);
        int all = 1_000_000;
        service = PenstockServer.start(TestService.settings(policies)
                .withEnvoy(settings)
                .withObserve(ObserveSettings.DEFAULT.withLog(directory.resolve("decisions.jsonl"), all, all)));
        envoy = new EnvoyClient(service.port(), "edge");
    }

    @AfterEach
    void stop() {
        envoy.close();
        service.close();
    }

    private static void done(CompletionStage<?> stage) {
        stage.toCompletableFuture().join();
    }

    private Code ask(String user) {
        return envoy.ask(descriptor("kind", "envoy", "user", user)).getOverallCode();
    }

    @Test
    void policies_blockedKey_isOver_andShadowPasses() throws Exception {
        start(List.of());
        Key ann = service.policies()
                .match(Request.of("user", "ann").with("kind", "envoy"))
                .charge(0)
                .key();
        done(service.overrides().block("users", ann, HOUR, ""));

        assertThat(ask("ann")).isEqualTo(Code.OVER_LIMIT);
        assertThat(ask("bob")).isEqualTo(Code.OK);
        assertThat(ask("bob")).isEqualTo(Code.OVER_LIMIT);
        assertThat(ask("outcast")).isEqualTo(Code.OVER_LIMIT);
        done(service.overrides().shadow(HOUR, ""));
        assertThat(List.of(ask("ann"), ask("bob"), ask("outcast"))).containsOnly(Code.OK);
        done(service.overrides().endShadow());
        done(service.overrides().unblock(ann));
        assertThat(ask("bob")).isEqualTo(Code.OVER_LIMIT);
        assertThat(ask("ann")).as("the request in shadow mode was counted").isEqualTo(Code.OVER_LIMIT);
    }

    @Test
    void blockByHand_isLoggedAsABlock() throws Exception {
        start(List.of());
        Key ann = service.policies()
                .match(Request.of("user", "ann").with("kind", "envoy"))
                .charge(0)
                .key();
        done(service.overrides().block("users", ann, HOUR, ""));

        ask("ann");
        ask("outcast");
        service.close();

        assertThat(Files.readAllLines(directory.resolve("decisions.jsonl")))
                .satisfiesExactly(
                        line -> assertThat(line)
                                .contains("\"reason\":\"blocked\"")
                                .contains("\"policy\":\"users\""),
                        line -> assertThat(line)
                                .contains("\"reason\":\"listed\"")
                                .contains("\"policy\":\"outcasts\""));
    }

    @Test
    void rules_inShadow_deny_nothing() throws Exception {
        start(List.of(
                "domain: edge",
                "descriptors:",
                "  - { key: user, rate_limit: { unit: year, requests_per_unit: 1 } }",
                "  - { key: user, value: banned, rate_limit: { unit: year, requests_per_unit: 0 } }"));
        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OK 0");
        assertThat(told(envoy.ask(descriptor("user", "ann")))).isEqualTo("OVER_LIMIT 0");

        done(service.overrides().shadow(HOUR, ""));

        assertThat(envoy.ask(descriptor("user", "ann"), descriptor("user", "banned"))
                        .getOverallCode())
                .isEqualTo(Code.OK);
        done(service.overrides().endShadow());
        assertThat(told(envoy.ask(descriptor("user", "banned")))).isEqualTo("OVER_LIMIT 0");
    }
}
