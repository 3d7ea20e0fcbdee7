package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoliciesKeyTest {
    private static Sample keyed(String key, String... more) throws PolicyErrors {
        return Sample.of(
                "hash_key: { env: PENSTOCK_HASH_KEY }",
                "policies: [ { name: p, match: { route: [/api/**, \"/api/users/{id}\"] }, " + String.join("", more)
                        + "limits: [ { key: " + key + ", token_bucket: 1/s } ] } ]",
                "routes: [ /api/orders, \"/api/orders/{id}\", /api/files, /api/files/** ]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "[user]        | user   | Ann             | p/1s/user [Ann] 1",
                "user          | user   | Ann             | p/1s/user [Ann] 1",
                "[user/lower]  | user   | Ann             | p/1s/user%2Flower [ann] 1",
                "[ip]          | ip     | 192.0.2.7       | p/1s/ip [192.0.2.7] 1",
                "[ip]          | ip     | ::ffff:192.0.2.7| p/1s/ip [192.0.2.7] 1",
                "[ip]          | ip     | 2001:db8::1:2:3:4| p/1s/ip [2001:db8::/64] 1",
                "[ip]          | ip     | nonsense        | p/1s/ip [nonsense] 1",
                "[ip/24]       | ip     | 192.0.2.7       | p/1s/ip%2F24 [192.0.2.0/24] 1",
                "[ip/24/48]    | ip     | 2001:db8:1:2::3 | p/1s/ip%2F24%2F48 [2001:db8:1::/48] 1",
                "[method]      | method | post            | p/1s/method [POST] 1",
                "[host]        | host   | API.example.com:80 | p/1s/host [api.example.com] 1",
                "[]            | user   | Ann             | p/1s/ [] 1",
                "[user]        | x      | y               | p/1s/user [null] 1",
            })
    void part_isNormalized(String key, String attribute, String value, String charge) throws PolicyErrors {
        assertThat(keyed(key).charges("route", "/api/x", attribute, value)).containsExactly(charge);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/users/1, /api/users/{id}",
        "/api/users/2, /api/users/{id}",
        "/api/orders/9, /api/orders/{id}",
        "/api/orders, /api/orders",
        "/api/files, /api/files",
        "/api/files/a/b, /api/files/**",
        "/api/else, /api/**",
    })
    void route_isTheMostSpecificPattern(String path, String pattern) throws PolicyErrors {
        assertThat(keyed("[route]").charges("route", path)).containsExactly("p/1s/route [" + pattern + "] 1");
    }

    @Test
    void route_unknown_isCountedAsOther() throws PolicyErrors {
        Sample sample = Sample.of(
                "routes: [ /a ]", "policies: [ { name: p, limits: [ { key: [route], token_bucket: 1/s } ] } ]");

        assertThat(sample.charges("route", "/b")).containsExactly("p/1s/route [other] 1");
        assertThat(sample.charges("route", "/a")).containsExactly("p/1s/route [/a] 1");
    }

    @Test
    void secret_isNeverInTheKey() throws PolicyErrors {
        String charge = keyed("[api_key]")
                .charges("route", "/api/x", "api_key", "sk_live_1")
                .get(0);

        assertThat(charge).doesNotContain("sk_live").matches("p/1s/api_key \\[[0-9a-f]{32}] 1");
        assertThat(keyed("[mail/lower/hash]").charges("route", "/api/x", "mail", "A@B"))
                .isEqualTo(keyed("[mail/lower/hash]").charges("route", "/api/x", "mail", "a@b"));
    }

    @Test
    void hides_secretsAndAttributesHashedInAKey() throws PolicyErrors {
        Policies policies = keyed("[mail/lower/hash, user]").policies();

        assertThat(policies.hides("api_key")).isTrue();
        assertThat(policies.hides("mail")).isTrue();
        assertThat(policies.hides("user")).isFalse();
    }

    @Test
    void missing_isSharedOrSkipped() throws PolicyErrors {
        assertThat(keyed("[tenant, user]").charges("route", "/api/x", "user", "ann"))
                .containsExactly("p/1s/tenant+user [null, ann] 1");
        assertThat(keyed("[tenant, user]", "when_missing: skip, ").charges("route", "/api/x", "user", "ann"))
                .isEmpty();
        assertThat(keyed("[tenant, user]", "when_missing: skip, ")
                        .ask("route", "/api/x")
                        .staticDecision()
                        .by())
                .isEqualTo("no limit");
    }

    @Test
    void colocate_countsByItsAttributeToo() throws PolicyErrors {
        Sample sample = keyed("[user]", "colocate: tenant, ");

        assertThat(sample.charges("route", "/api/x", "user", "ann", "tenant", "acme"))
                .containsExactly("p/1s/tenant+user [acme, ann] 1");
        assertThat(sample.ask("route", "/api/x", "user", "ann", "tenant", "acme")
                        .charge(0)
                        .colocation())
                .isEqualTo("acme");
    }

    @Test
    void colocate_byRoute_usesThePatternAsTheKeyDoes() throws PolicyErrors {
        Sample sample = keyed("[route]", "colocate: route, ");

        assertThat(sample.ask("route", "/api/users/1").charge(0).colocation()).isEqualTo("/api/users/{id}");
    }

    @Test
    void counterName_doesNotDependOnNumbersOrOrder() throws PolicyErrors {
        Sample before = Sample.of(
                "policies:",
                "  - name: p",
                "    limits:",
                "      - { key: [user], token_bucket: 10/s }",
                "      - { key: [user], token_bucket: 100/h }",
                "      - { key: [user], concurrency: 5, ttl: 1m }");
        Sample after = Sample.of(
                "policies:",
                "  - name: p",
                "    limits:",
                "      - { key: [user], concurrency: 9, ttl: 1m }",
                "      - { key: [user], token_bucket: 200/h, burst: 7 }",
                "      - { key: [user], token_bucket: 20/s }");

        assertThat(after.charges("user", "ann")).containsExactlyInAnyOrderElementsOf(before.charges("user", "ann"));
    }
}
