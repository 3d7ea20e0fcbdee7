package dev.penstock.policy.envoy;

import static dev.penstock.policy.envoy.DomainRules.LEVELS;
import static dev.penstock.policy.envoy.DomainRules.counted;
import static dev.penstock.policy.envoy.DomainRules.key;
import static dev.penstock.policy.envoy.DomainRules.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyMatch.Counted;
import dev.penstock.spi.Enforcement;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the settings of a request, and how its descriptors affect each other. */
class EnvoyRequestTest {
    @Test
    void select_limitOfTheRequest_replacesEveryRule() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - key: k
                    shadow_mode: true
                    quota_mode: true
                    rate_limit: { unit: minute, requests_per_unit: 10, name: n, replaces: [ { name: m } ] }
                """);
        EnvoyDescriptor descriptor = EnvoyDescriptor.of("k", "v");
        Counted own = counted(rules, descriptor.limit(3, EnvoyUnit.MINUTE));
        Counted elsewhere = counted(rules, EnvoyDescriptor.of("no", "rule").limit(3, EnvoyUnit.YEAR));

        assertThat(own.rule().requestsPerUnit()).isEqualTo(3);
        assertThat(own.rule().isShadow()).isFalse();
        assertThat(own.rule().isQuota()).isFalse();
        assertThat(own.rule().replaces()).isEmpty();
        assertThat(own.rule().metric(descriptor)).isEqualTo("d.k_v");
        assertThat(own.charge().settings().enforcement()).isEqualTo(Enforcement.ENFORCED);
        assertThat(own.charge().key())
                .isEqualTo(counted(rules, descriptor).charge().key());
        assertThat(elsewhere.charge().limit().capacity()).isEqualTo(3);
    }

    /** Names become metric labels, so they must not contain text from requests. */
    @Test
    void select_limitOfTheRequest_isInItsKeyButNotInItsName() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);
        Counted one = counted(rules, EnvoyDescriptor.of("one", "v").limit(3, EnvoyUnit.YEAR));
        Counted other = counted(rules, EnvoyDescriptor.of("other", "v").limit(3, EnvoyUnit.YEAR));

        assertThat(one.charge().settings().policy()).isEqualTo("(override)");
        assertThat(other.charge().settings().policy()).isEqualTo("(override)");
        assertThat(one.charge().key()).isNotEqualTo(other.charge().key());
    }

    @Test
    void select_hitsAddend_comesFromTheDescriptorThenTheRequestThenIsOne() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);
        EnvoyDescriptor silent = EnvoyDescriptor.of("a", "x");
        List<EnvoyDescriptor> all = List.of(silent, silent.hitsAddend(0), silent.hitsAddend(7));

        assertThat(costs(rules.select("d", all, 0))).containsExactly(1L, 0L, 7L);
        assertThat(costs(rules.select("d", all, 5))).containsExactly(5L, 0L, 7L);
    }

    private static List<Long> costs(List<EnvoyMatch> matches) {
        return matches.stream().map(match -> ((Counted) match).charge().cost()).toList();
    }

    @Test
    void select_replaces_dropsTheNamedRulesOfTheRequest() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: a, rate_limit: { unit: hour, requests_per_unit: 1, name: one } }
                  - { key: b, rate_limit: { unit: hour, requests_per_unit: 2, name: two, replaces: [ { name: one } ] } }
                  - { key: c, rate_limit: { unit: hour, requests_per_unit: 3, name: three, replaces: [ { name: two } ] } }
                  - { key: e, rate_limit: { unlimited: true, name: four, replaces: [ { name: three } ] } }
                  - { key: f, rate_limit: { unit: hour, requests_per_unit: 5, replaces: [ { name: four }, { name: one } ] } }
                  - { key: g, rate_limit: { unit: hour, requests_per_unit: 6 } }
                """);

        assertThat(kinds(rules, "a")).containsExactly("Counted");
        assertThat(kinds(rules, "a", "b", "g")).containsExactly("None", "Counted", "Counted");
        assertThat(kinds(rules, "b", "a", "a")).containsExactly("Counted", "None", "None");
        // a replaced rule still replaces others; an unlimited one cannot be replaced
        assertThat(kinds(rules, "a", "b", "c")).containsExactly("None", "None", "Counted");
        assertThat(kinds(rules, "c", "e", "f")).containsExactly("None", "Unlimited", "Counted");
    }

    private static List<String> kinds(EnvoyRules rules, String... keys) {
        List<EnvoyDescriptor> descriptors =
                Arrays.stream(keys).map(key -> EnvoyDescriptor.of(key, "v")).toList();
        return rules.select("d", descriptors, 0).stream()
                .map(match -> match.getClass().getSimpleName())
                .toList();
    }

    @Test
    void select_quotas_denyIfOneGroup_andAreShadowIfSeveral() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: q, quota_mode: true, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - { key: plain, rate_limit: { unit: hour, requests_per_unit: 1 } }
                  - key: backend_name
                    quota_mode: true
                    rate_limit: { unit: hour, requests_per_unit: 1 }
                    descriptors:
                      - { key: tenant, quota_mode: true, rate_limit: { unit: hour, requests_per_unit: 1 } }
                """);
        EnvoyDescriptor q = EnvoyDescriptor.of("q", "1");
        EnvoyDescriptor plain = EnvoyDescriptor.of("plain", "1");
        EnvoyDescriptor backend = EnvoyDescriptor.of("backend_name", "b");
        EnvoyDescriptor tenant = EnvoyDescriptor.of("backend_name", "b", "tenant", "t");

        assertThat(effects(rules, q, plain)).containsExactly(Enforcement.ENFORCED, Enforcement.ENFORCED);
        assertThat(effects(rules, backend, tenant)).containsExactly(Enforcement.ENFORCED, Enforcement.ENFORCED);
        assertThat(effects(rules, q, plain, backend))
                .containsExactly(Enforcement.SHADOW, Enforcement.ENFORCED, Enforcement.SHADOW);
        assertThat(counted(rules, q).rule().isQuota()).isTrue();
        assertThat(tenant.quotaGroup()).isEqualTo(backend.quotaGroup()).isNotEqualTo(q.quotaGroup());
    }

    private static List<Enforcement> effects(EnvoyRules rules, EnvoyDescriptor... descriptors) {
        return rules.select("d", List.of(descriptors), 0).stream()
                .map(match -> ((Counted) match).charge().settings().enforcement())
                .toList();
    }

    @Test
    void select_badRequest_isRefused() throws PolicyErrors {
        EnvoyRules rules = rules(LEVELS);
        List<EnvoyDescriptor> one = List.of(EnvoyDescriptor.of("a", "x"));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> rules.select("", one, 0))
                .withMessage("domain: \"\" (expected: a text that is not empty)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rules.select("d", List.of(), 0))
                .withMessage("descriptors: [] (expected: at least one)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> rules.select("d", one, -1))
                .withMessage("hits_addend: -1 (expected: >= 0)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.get(0).hitsAddend(1L << 53))
                .withMessage("hits_addend: 9007199254740992 (expected: <= 4503599627370496)");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> one.get(0).limit(1L << 32, EnvoyUnit.DAY))
                .withMessage("limit.requests_per_unit: 4294967296 (expected: <= 4294967295)");
    }
}
