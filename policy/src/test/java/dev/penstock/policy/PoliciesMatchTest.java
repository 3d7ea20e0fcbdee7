package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PoliciesMatchTest {
    private static Sample matching(String match) throws PolicyErrors {
        return Sample.of("policies: [ { name: p, match: " + match + ", limits: [ { key: [], token_bucket: 1/s } ] } ]");
    }

    @ParameterizedTest
    @CsvSource({
        "/login, /login, true",
        "/login, /login/, true",
        "/login, //login, true",
        "/login, /./login, true",
        "/login, /a/../login, true",
        "/login, /%6Cogin, true",
        "/login, /login?next=%2F, true",
        "/login, /login;jsessionid=1, true",
        "/login, http://example.com/login, true",
        "/login, https://example.com:443/login?x=1, true",
        "/, http://example.com, true",
        "/login, /LOGIN, false",
        "/login, /login/x, false",
        "/login, /logi, false",
        "/api/**, /api, true",
        "/api/**, /api/a/b/c, true",
        "/api/**, /apis, false",
        "/users/{id}, /users/7, true",
        "/users/{id}, /users, false",
        "/users/{id}, /users/7/x, false",
        "/users/*/orders, /users/7/orders, true",
        "/users/{id}, /users/a%2Fb, true",
        "/**, /, true",
        "/, /, true",
        "/, /a, false",
    })
    void route_isMatchedBySegments(String pattern, String path, boolean matches) throws PolicyErrors {
        Sample sample = matching("{ route: \"" + pattern + "\" }");

        assertThat(sample.matching("route", path).isEmpty()).isEqualTo(!matches);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{ method: [get, POST] }          | method | GET                | true",
                "{ method: GET }                  | method | get                | true",
                "{ method: GET }                  | method | POST               | false",
                "{ host: \"*.example.com\" }      | host   | Api.Example.com:443| true",
                "{ host: \"*.example.com\" }      | host   | example.com        | false",
                "{ host: \"*.example.com\" }      | host   | badexample.com     | false",
                "{ host: api.example.com }        | host   | api.example.com.   | true",
                "{ tenant: [acme, 042] }          | tenant | 042                | true",
                "{ tenant: [acme, 042] }          | tenant | 42                 | false",
                "{ tenant: { prefix: ac } }       | tenant | acme               | true",
                "{ tenant: { prefix: ac } }       | tenant | a                  | false",
                "{ tenant: { present: true } }    | tenant | x                  | true",
                "{ tenant: { present: true } }    | user   | x                  | false",
                "{ tenant: { present: false } }   | user   | x                  | true",
                "{ tenant: { not: acme } }        | tenant | acme               | false",
                "{ tenant: { not: acme } }        | tenant | globex             | true",
                "{ tenant: { not: acme } }        | user   | x                  | true",
                "{ tenant: { not: { prefix: a } } } | tenant | acme             | false",
                "{ tenant: { prefix: a, not: acme } } | tenant | acme           | false",
                "{ tenant: { prefix: a, not: acme } } | tenant | alpha          | true",
                "{ ip: 10.0.0.0/8 }               | ip     | 10.255.0.1         | true",
                "{ ip: 10.0.0.0/8 }               | ip     | ::ffff:10.1.1.1    | true",
                "{ ip: 10.0.0.0/8 }               | ip     | 11.0.0.1           | false",
                "{ ip: 10.0.0.0/8 }               | ip     | 10.0.0             | false",
                "{ ip: 10.0.0.0/8 }               | ip     | unknown            | false",
                "{ ip: \"2001:db8::/32\" }        | ip     | 2001:DB8:1::7      | true",
                "{ ip: { not: [10.0.0.0/8] } }    | ip     | 10.1.2.3           | false",
                "{ ip: \"::/0\" }                 | ip     | 192.0.2.1          | false",
                "{ ip: \"::/0\" }                 | ip     | 2001:db8::1        | true",
                "{ ip: 0.0.0.0/0 }                | ip     | ::ffff:192.0.2.1   | true",
                "{ ip: 0.0.0.0/0 }                | ip     | ::1                | false",
                "{ host: api.example.com. }       | host   | api.example.com    | true",
                "{ net: { cidr: 10.0.0.0/8 } }    | net    | 10.1.2.3           | true",
            })
    void condition_holdsForMatchingValues(String match, String attribute, String value, boolean matches)
            throws PolicyErrors {
        assertThat(matching(match).matching(attribute, value).isEmpty()).isEqualTo(!matches);
    }

    @Test
    void secret_isMatchedByItsHash() throws PolicyErrors {
        Sample any = Sample.of(
                "hash_key: { env: PENSTOCK_HASH_KEY }",
                "policies: [ { name: p, limits: [ { key: [api_key], token_bucket: 1/s } ] } ]");
        String hash = any.ask("api_key", "sk_1").charge(0).key().values().get(0);

        Sample sample = Sample.of(
                "hash_key: { env: PENSTOCK_HASH_KEY }",
                "deny: [ { name: leaked, match: { api_key: { hash: " + hash + " } } } ]");

        assertThat(sample.ask("api_key", "sk_1").staticDecision().by()).isEqualTo("leaked");
        assertThat(sample.ask("api_key", "sk_2").staticDecision().by()).isEqualTo("default");
        assertThat(hash).hasSize(32).doesNotContain("sk_1");
    }

    @Test
    void allMatchingPolicies_applyTogether_inAnyOrder() throws PolicyErrors {
        String a = "  - { name: a, match: { route: /api/** }, limits: [ { key: [user], token_bucket: 1/s } ] }";
        String b = "  - { name: b, match: { user: ann }, limits: [ { key: [user], token_bucket: 1/s } ] }";
        String c = "  - { name: c, limits: [ { key: [], token_bucket: 1/s } ] }";

        Sample forth = Sample.of("policies:", a, b, c);
        Sample back = Sample.of("policies:", c, b, a);

        String[] request = {"route", "/api/x", "user", "ann"};
        assertThat(forth.charges(request)).hasSize(3).isEqualTo(back.charges(request));
        assertThat(forth.matching("user", "bob")).containsExactly("c");
    }

    @Test
    void lists_decideBeforeAnythingIsCounted_denyFirst() throws PolicyErrors {
        Sample sample = Sample.of(
                "allow: [ { name: office, match: { ip: 192.0.2.0/24 } } ]",
                "deny: [ { name: bad, match: { ip: 192.0.2.66 } } ]",
                "policies: [ { name: p, limits: [ { key: [], token_bucket: 1/s } ] } ]");

        assertThat(sample.ask("ip", "192.0.2.1").staticDecision().toString()).contains("ALLOW", "office");
        assertThat(sample.ask("ip", "192.0.2.66").staticDecision().toString()).contains("DENY", "bad");
        assertThat(sample.charges("ip", "198.51.100.1")).hasSize(1);
    }

    @Test
    void default_isForRequestsThatNoEnforcingPolicyMatches() throws PolicyErrors {
        String shadow = "  - { name: s, mode: shadow, limits: [ { key: [], token_bucket: 1/s } ] }";
        String login = "  - { name: l, match: { route: /login }, limits: [ { key: [], token_bucket: 1/s } ] }";

        Sample denying = Sample.of("default: deny", "policies:", shadow, login);
        Sample limiting =
                Sample.of("default: { limits: [ { key: [ip], token_bucket: 5/s } ] }", "policies:", shadow, login);

        assertThat(denying.ask("route", "/x").staticDecision().toString()).contains("DENY", "default");
        assertThat(denying.matching("route", "/login")).containsExactly("l", "s");
        assertThat(limiting.matching("route", "/x", "ip", "192.0.2.1")).containsExactly("s", "default");
        assertThat(limiting.matching("route", "/login", "ip", "192.0.2.1")).containsExactly("l", "s");
        assertThat(Sample.of("policies:", login).ask().staticDecision().toString())
                .contains("ALLOW", "default");
    }
}
