package dev.penstock.policy.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyMatch.Counted;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rules of the domain d, and the results of matching descriptors against them. */
final class DomainRules {
    static final String LEVELS = """
            domain: d
            descriptors:
              - key: a
                value: x
                rate_limit: { unit: second, requests_per_unit: 1 }
                descriptors:
                  - key: b
                    rate_limit: { unit: second, requests_per_unit: 2 }
                  - key: b
                    value: y
                    rate_limit: { unit: second, requests_per_unit: 3 }
              - key: a
                rate_limit: { unit: second, requests_per_unit: 4 }
              - key: nothing
                value: "1"
              - key: nothing
                rate_limit: { unit: second, requests_per_unit: 5 }
            """;

    private DomainRules() {}

    static EnvoyRules rules(String yaml) throws PolicyErrors {
        return EnvoyRules.parse("rules.yaml", yaml);
    }

    static EnvoyMatch only(EnvoyRules rules, EnvoyDescriptor descriptor) {
        List<EnvoyMatch> matches = rules.select("d", List.of(descriptor), 0);
        assertThat(matches).hasSize(1);
        return matches.get(0);
    }

    static Counted counted(EnvoyRules rules, EnvoyDescriptor descriptor) {
        return (Counted) only(rules, descriptor);
    }

    /** Returns the requests per unit of the rule that counts; null if none does. */
    static @Nullable Long limit(EnvoyRules rules, String... entries) {
        EnvoyMatch match = only(rules, EnvoyDescriptor.of(entries));
        return match instanceof Counted counted ? (Long) counted.rule().requestsPerUnit() : null;
    }

    static Object key(EnvoyRules rules, String... entries) {
        return counted(rules, EnvoyDescriptor.of(entries)).charge().key();
    }
}
