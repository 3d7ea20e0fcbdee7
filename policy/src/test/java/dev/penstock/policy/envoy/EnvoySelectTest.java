package dev.penstock.policy.envoy;

import static dev.penstock.policy.envoy.DomainRules.LEVELS;
import static dev.penstock.policy.envoy.DomainRules.counted;
import static dev.penstock.policy.envoy.DomainRules.limit;
import static dev.penstock.policy.envoy.DomainRules.rules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.PolicyErrors;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests which rule matches a descriptor. */
class EnvoySelectTest {
    @Test
    void select_fullPath_findsTheMostExactRule() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);

        assertThat(limit(rules, "a", "x")).isEqualTo(1);
        assertThat(limit(rules, "a", "x", "b", "z")).isEqualTo(2);
        assertThat(limit(rules, "a", "x", "b", "y")).isEqualTo(3);
        assertThat(limit(rules, "a", "other")).isEqualTo(4);
        assertThat(limit(rules, "a", "")).isEqualTo(4);
    }

    @Test
    void select_shorterOrLongerThanTheFile_matchesNoRule() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);

        assertThat(limit(rules, "a", "other", "b", "y")).isNull();
        assertThat(limit(rules, "a", "x", "b", "y", "c", "z")).isNull();
        assertThat(limit(rules, "b", "y")).isNull();
        assertThat(limit(rules)).isNull();
    }

    @Test
    void select_descriptorWithoutLimit_hidesTheKeyAlone() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);

        assertThat(limit(rules, "nothing", "2")).isEqualTo(5);
        assertThat(limit(rules, "nothing", "1")).isNull();
    }

    @Test
    void select_unknownDomain_matchesNoRule() throws PolicyErrors {
        List<EnvoyMatch> matches = rules(LEVELS)
                .select("other", List.of(EnvoyDescriptor.of("a", "x").limit(1, EnvoyUnit.DAY)), 0);

        assertThat(matches).containsExactly(new EnvoyMatch.None());
    }

    @Test
    void select_keysWithUnderscores_neverCollide() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - key: a_b
                    rate_limit: { unit: second, requests_per_unit: 1 }
                  - key: a
                    value: b
                    rate_limit: { unit: second, requests_per_unit: 2 }
                  - key: a
                    descriptors:
                      - key: c
                        rate_limit: { unit: second, requests_per_unit: 3 }
                  - key: a_x
                    descriptors:
                      - key: c
                        rate_limit: { unit: second, requests_per_unit: 3 }
                """);

        assertThat(limit(rules, "a_b", "")).isEqualTo(1);
        assertThat(limit(rules, "a", "b")).isEqualTo(2);
        assertThat(counted(rules, EnvoyDescriptor.of("a", "x_y", "c", "z"))
                        .charge()
                        .key())
                .isNotEqualTo(counted(rules, EnvoyDescriptor.of("a_x", "y", "c", "z"))
                        .charge()
                        .key());
        assertThat(counted(rules, EnvoyDescriptor.of("a", "x", "c", "y_z"))
                        .charge()
                        .key())
                .isNotEqualTo(counted(rules, EnvoyDescriptor.of("a", "x_c_y", "c", "z"))
                        .charge()
                        .key());
    }
}
