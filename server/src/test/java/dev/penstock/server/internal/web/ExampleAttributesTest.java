package dev.penstock.server.internal.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyErrors;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExampleAttributesTest {
    private static final String TWO_POLICIES = """
            version: 1
            policies:
              - name: everybody
                limits:
                  - { key: ip, token_bucket: 100/s }
              - name: reports
                match: { route: "/reports/{id}", team: { prefix: t- }, guest: { present: false } }
                limits:
                  - { key: [team, user/lower], token_bucket: 10/s }
            """;

    private static Policies parsed(String text) throws PolicyErrors {
        return Policies.loader().withoutSecrets().parse("policies.yaml", text);
    }

    @Test
    void of_takesThePolicyWithMostLimits_andAddsTheKeysOfOthers() throws Exception {
        assertThat(ExampleAttributes.of(parsed(TWO_POLICIES)))
                .containsEntry("route", "/reports/7")
                .containsEntry("team", "t-example")
                .containsEntry("user", "alice")
                .containsEntry("ip", "203.0.113.7")
                .hasSize(4);
    }

    @Test
    void of_pathBelowAPrefix_prefersAListedRoute() throws Exception {
        Policies policies = Policies.loader().withoutSecrets().load(Path.of("../examples/public-api.yaml"));

        assertThat(ExampleAttributes.of(policies))
                .containsEntry("route", "/v1/users/7")
                .containsEntry("user", "alice");
    }

    @ParameterizedTest
    @ValueSource(strings = {"public-api.yaml", "login.yaml", "ai-endpoint.yaml", "partner-api.yaml", "saas"})
    void of_examplesOfTheProject_matchAPolicy(String file) throws Exception {
        Policies policies = Policies.loader().withoutSecrets().load(Path.of("../examples", file));

        assertThat(ExampleAttributes.of(policies)).isNotEmpty();
    }

    @Test
    void of_everythingDenied_hasNoExample() throws Exception {
        Policies policies = parsed("""
                version: 1
                deny:
                  - { name: closed, match: { route: /** } }
                policies:
                  - name: api
                    match: { route: /api }
                    limits:
                      - { key: user, token_bucket: 1/s }
                """);

        assertThat(ExampleAttributes.of(policies)).isEmpty();
    }
}
