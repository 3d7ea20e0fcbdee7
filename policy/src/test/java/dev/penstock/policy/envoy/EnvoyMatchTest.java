package dev.penstock.policy.envoy;

import static dev.penstock.policy.envoy.DomainRules.counted;
import static dev.penstock.policy.envoy.DomainRules.only;
import static dev.penstock.policy.envoy.DomainRules.rules;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.algorithm.FixedWindow;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyMatch.Blocked;
import dev.penstock.policy.envoy.EnvoyMatch.Counted;
import dev.penstock.spi.Enforcement;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests what a match reports about its rule, and what it charges. */
class EnvoyMatchTest {
    @ParameterizedTest
    @CsvSource({
        "second, SECOND, 1",
        "MINUTE, MINUTE, 60",
        "Hour, HOUR, 3600",
        "day, DAY, 86400",
        "week, WEEK, 604800",
        "month, MONTH, 2592000",
        "year, YEAR, 31536000"
    })
    void select_unit_isAFixedWindowOfItsLength(String word, EnvoyUnit unit, long seconds) throws PolicyErrors {
        EnvoyRules rules = rules("{ domain: d, descriptors: [ { key: k, rate_limit: { unit: " + word
                + ", requests_per_unit: 4294967295 } } ] }");
        Counted counted = counted(rules, EnvoyDescriptor.of("k", "v"));

        assertThat(counted.rule().unit()).isEqualTo(unit);
        assertThat(counted.charge().limit().algorithm())
                .isEqualTo(new FixedWindow(4294967295L, Duration.ofSeconds(seconds)));
    }

    @Test
    void select_rule_reportsAllThatAnAnswerNeeds() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d/e
                descriptors:
                  - key: path
                    value: /a%
                    descriptors:
                      - key: user
                        shadow_mode: true
                        metadata: { team: x, tier: 2, on: yes, none: ~, list: [1.5, "2"], deep: { a: b } }
                        rate_limit: { unit: minute, requests_per_unit: 10, name: per-user }
                """);
        EnvoyDescriptor descriptor = EnvoyDescriptor.of("path", "/a%", "user", "u");
        Counted counted = (Counted) rules.select("d/e", List.of(descriptor), 0).get(0);
        EnvoyRule rule = counted.rule();

        assertThat(rule.policy()).isEqualTo("d%2Fe/path=%2Fa%25/user");
        assertThat(rule.name()).isEqualTo("per-user");
        assertThat(rule.requestsPerUnit()).isEqualTo(10);
        assertThat(rule.isShadow()).isTrue();
        assertThat(rule.isQuota()).isFalse();
        assertThat(rule.isBlocking()).isFalse();
        Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
        metadata.put("team", "x");
        metadata.put("tier", 2.0);
        metadata.put("on", true);
        metadata.put("none", null);
        metadata.put("list", List.of(1.5, "2"));
        metadata.put("deep", Map.of("a", "b"));
        assertThat(rule.metadata()).isEqualTo(metadata);
        assertThat(rule.metric(descriptor)).isEqualTo("d/e.path_/a%.user");
        assertThat(counted.charge().settings().policy()).isEqualTo(rule.policy());
        assertThat(counted.charge().key().counter()).isEqualTo("d%2Fe/path/user");
        assertThat(counted.charge().key().values()).containsExactly("/a%", "u");
        assertThat(counted.charge().settings().enforcement()).isEqualTo(Enforcement.SHADOW);
    }

    @Test
    void metric_isNamedAsInEnvoy() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: plain, value: f*, rate_limit: &one { unit: hour, requests_per_unit: 1 } }
                  - { key: told, value: f*, value_to_metric: true, rate_limit: *one }
                  - { key: shared, value: f*, value_to_metric: true, share_threshold: true, rate_limit: *one }
                  - { key: alone, value_to_metric: true, rate_limit: *one }
                  - { key: detailed, detailed_metric: true, rate_limit: *one }
                  - key: both
                    value: f*
                    share_threshold: true
                    descriptors:
                      - { key: detailed, detailed_metric: true, rate_limit: *one }
                """);

        assertThat(metric(rules, "plain", "f1")).isEqualTo("d.plain_f*");
        assertThat(metric(rules, "told", "f1")).isEqualTo("d.told_f1");
        assertThat(metric(rules, "shared", "f1")).isEqualTo("d.shared_f*");
        assertThat(metric(rules, "alone", "v")).isEqualTo("d.alone_v");
        assertThat(metric(rules, "alone", "")).isEqualTo("d.alone");
        assertThat(metric(rules, "detailed", "v")).isEqualTo("d.detailed_v");
        assertThat(metric(rules, "detailed", "")).isEqualTo("d.detailed_");
        assertThat(metric(rules, "both", "f1", "detailed", "v")).isEqualTo("d.both_f*.detailed_v");
        assertThat(metric(rules, "both", "f1", "detailed", "")).isEqualTo("d.both_f*.detailed");
    }

    private static String metric(EnvoyRules rules, String... entries) {
        EnvoyDescriptor descriptor = EnvoyDescriptor.of(entries);
        return counted(rules, descriptor).rule().metric(descriptor);
    }

    @Test
    void select_unlimited_isDistinctFromNoRule() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: k, value: vip, rate_limit: { unlimited: true } }
                  - { key: k, value: odd, rate_limit: { unlimited: yes, unit: fortnight } }
                  - { key: k, rate_limit: { unit: hour, requests_per_unit: 1 } }
                """);

        assertThat(only(rules, EnvoyDescriptor.of("k", "vip"))).isInstanceOf(EnvoyMatch.Unlimited.class);
        assertThat(only(rules, EnvoyDescriptor.of("k", "odd"))).isInstanceOf(EnvoyMatch.Unlimited.class);
        assertThat(only(rules, EnvoyDescriptor.of("other", "vip"))).isEqualTo(new EnvoyMatch.None());
    }

    @Test
    void select_noRequestsPerUnit_blocksEverythingWithACost() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - { key: zero, rate_limit: { unit: hour, requests_per_unit: 0 } }
                  - { key: unsaid, rate_limit: { unit: hour } }
                """);

        assertThat(((Blocked) only(rules, EnvoyDescriptor.of("zero", "v"))).isOver())
                .isTrue();
        assertThat(((Blocked) only(rules, EnvoyDescriptor.of("unsaid", "v"))).isOver())
                .isTrue();
        assertThat(((Blocked) only(rules, EnvoyDescriptor.of("zero", "v").hitsAddend(0))).isOver())
                .isFalse();
        assertThat(((Blocked) only(rules, EnvoyDescriptor.of("x", "v").limit(0, EnvoyUnit.DAY))).isOver())
                .isTrue();
    }
}
