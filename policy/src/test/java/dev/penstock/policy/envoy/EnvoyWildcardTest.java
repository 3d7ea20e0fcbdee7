package dev.penstock.policy.envoy;

import static dev.penstock.policy.envoy.DomainRules.counted;
import static dev.penstock.policy.envoy.DomainRules.key;
import static dev.penstock.policy.envoy.DomainRules.limit;
import static dev.penstock.policy.envoy.DomainRules.rules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.PolicyErrors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests stars in values and keys: what they match, and what is counted together. */
class EnvoyWildcardTest {
    @ParameterizedTest
    @CsvSource({
        "exact, 1",
        "ex, 3",
        "exa, 2",
        "exam, 2",
        "exam*, 4",
        "e, 3",
        "'', 6",
        "*, 6",
        "pre-mid-post, 5",
        "pre--post, 5",
        "pre-post, 6",
        "pre-x-mid-y-post, 5",
        "pre-mid-pos, 6",
        "apre-mid-post, 6"
    })
    void select_wildcards_afterTheExactValueInFileOrderBeforeTheKey(String value, long expected) throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: k, rate_limit: { unit: hour, requests_per_unit: 6 } }
                  - { key: k, value: exa*, rate_limit: { unit: hour, requests_per_unit: 2 } }
                  - { key: k, value: e*, rate_limit: { unit: hour, requests_per_unit: 3 } }
                  - { key: k, value: exam*, rate_limit: { unit: hour, requests_per_unit: 4 } }
                  - { key: k, value: exact, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: k, value: pre-*-post, rate_limit: { unit: hour, requests_per_unit: 5 } }
                """);

        assertThat(limit(rules, "k", value)).isEqualTo(expected);
        assertThat(limit(rules, "other", value)).isNull();
    }

    @Test
    void select_severalStars_matchInOrder() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: k, value: a*b*c, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: all, value: "*", rate_limit: { unit: hour, requests_per_unit: 2 } }
                  - { key: all, rate_limit: { unit: hour, requests_per_unit: 3 } }
                """);

        assertThat(limit(rules, "k", "abc")).isEqualTo(1);
        assertThat(limit(rules, "k", "a1b2c")).isEqualTo(1);
        assertThat(limit(rules, "k", "acb")).isNull();
        assertThat(limit(rules, "k", "ac")).isNull();
        assertThat(limit(rules, "k", "abcb")).isNull();
        assertThat(limit(rules, "all", "")).isEqualTo(2);
        assertThat(limit(rules, "all", "x")).isEqualTo(2);
    }

    @Test
    void select_wildcardBelowAnother_isFoundThere() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - key: a
                    value: x*
                    descriptors:
                      - { key: b, value: y*, rate_limit: { unit: hour, requests_per_unit: 1 } }
                """);

        assertThat(limit(rules, "a", "x1", "b", "y1")).isEqualTo(1);
        assertThat(limit(rules, "a", "x1", "b", "z1")).isNull();
        assertThat(limit(rules, "b", "y1")).isNull();
    }

    @Test
    void select_starInAKey_matchesKeyAndValueTogether() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: "user*", rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: user, value: "z*", rate_limit: { unit: hour, requests_per_unit: 2 } }
                """);

        assertThat(limit(rules, "user_id", "7")).isEqualTo(1);
        assertThat(limit(rules, "user", "z")).isEqualTo(1);
        assertThat(limit(rules, "other", "z")).isNull();
        assertThat(counted(rules, EnvoyDescriptor.of("user_id", "7")).charge().key())
                .isNotEqualTo(counted(rules, EnvoyDescriptor.of("user_no", "7"))
                        .charge()
                        .key());
    }

    @Test
    void select_wildcard_countsEachValueUnlessItShares() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: own, value: f*, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: one, value: f*, share_threshold: true, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: one, value: g*, share_threshold: true, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - key: above
                    value: h*
                    share_threshold: true
                    descriptors:
                      - { key: user, rate_limit: { unit: hour, requests_per_unit: 1 } }
                """);

        assertThat(key(rules, "own", "f1")).isNotEqualTo(key(rules, "own", "f2"));
        assertThat(key(rules, "one", "f1")).isEqualTo(key(rules, "one", "f2")).isEqualTo(key(rules, "one", "f*"));
        assertThat(key(rules, "one", "f1")).isNotEqualTo(key(rules, "one", "g1"));
        assertThat(key(rules, "above", "h1", "user", "u")).isEqualTo(key(rules, "above", "h2", "user", "u"));
        assertThat(key(rules, "above", "h1", "user", "u")).isNotEqualTo(key(rules, "above", "h1", "user", "v"));
    }
}
