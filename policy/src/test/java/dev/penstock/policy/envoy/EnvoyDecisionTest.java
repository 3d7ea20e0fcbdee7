package dev.penstock.policy.envoy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyMatch.Counted;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Decides the charges of rules on an engine. */
class EnvoyDecisionTest {
    private static final EnvoyDescriptor ONE = EnvoyDescriptor.of("k", "v");

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-04T10:20:30Z"));
    private final MemoryEngine engine = MemoryEngine.builder().clock(clock).build();

    private boolean isAllowed(EnvoyRules rules, EnvoyDescriptor... descriptors) {
        return decide(rules, descriptors).isAllowed();
    }

    private Decision decide(EnvoyRules rules, EnvoyDescriptor... descriptors) {
        List<Charge> charges = rules.select("d", List.of(descriptors), 0).stream()
                .map(match -> ((Counted) match).charge())
                .toList();
        return engine.decide(Ask.of(charges));
    }

    /** Rules with one key. */
    private static EnvoyRules rules(String unit, int requests, String more) throws PolicyErrors {
        String limit = "{ unit: " + unit + ", requests_per_unit: " + requests + " }";
        String yaml = "{ domain: d, descriptors: [ { key: k, rate_limit: " + limit + more + " } ] }";
        return EnvoyRules.parse("rules.yaml", yaml);
    }

    @Test
    void decide_sameDescriptorTwice_isChargedTwice() throws PolicyErrors {
        EnvoyRules rules = rules("hour", 3, "");

        assertThat(isAllowed(rules, ONE, ONE)).isTrue();
        assertThat(isAllowed(rules, ONE, ONE)).isFalse();
        assertThat(isAllowed(rules, ONE)).isTrue();
        assertThat(isAllowed(rules, ONE)).isFalse();
        assertThat(isAllowed(rules, EnvoyDescriptor.of("k", "other"))).isTrue();
    }

    @Test
    void decide_week_beginsOnThursdayWithTheEpoch() throws PolicyErrors {
        EnvoyRules rules = rules("week", 1, "");

        assertThat(isAllowed(rules, ONE)).isTrue();
        assertThat(isAllowed(rules, ONE)).isFalse();
        clock.set(Instant.parse("2026-03-05T00:00:00Z").minus(Duration.ofMillis(1)));
        assertThat(isAllowed(rules, ONE)).isFalse();
        clock.set(Instant.parse("2026-03-05T00:00:00Z"));
        assertThat(isAllowed(rules, ONE)).isTrue();
    }

    @Test
    void decide_shadow_neverDenies() throws PolicyErrors {
        EnvoyRules rules = rules("hour", 1, ", shadow_mode: true");

        assertThat(decide(rules, ONE).shadowDenials()).isEmpty();
        assertThat(isAllowed(rules, ONE)).isTrue();
        assertThat(decide(rules, ONE).shadowDenials()).hasSize(1);
    }

    @Test
    void decide_limitOfTheRequest_countsUnderTheSameNameAsTheRule() throws PolicyErrors {
        EnvoyRules rules = rules("hour", 5, "");
        EnvoyDescriptor narrower = ONE.limit(2, EnvoyUnit.HOUR);

        assertThat(isAllowed(rules, ONE)).isTrue();
        assertThat(isAllowed(rules, narrower)).isTrue();
        assertThat(isAllowed(rules, narrower)).isFalse();
        assertThat(isAllowed(rules, ONE.limit(2, EnvoyUnit.DAY))).isTrue();
        assertThat(isAllowed(rules, ONE)).isTrue();
    }

    @Test
    void decide_hitsAddendZero_onlyLooks() throws PolicyErrors {
        EnvoyRules rules = rules("hour", 1, "");

        assertThat(isAllowed(rules, ONE.hitsAddend(0))).isTrue();
        assertThat(isAllowed(rules, ONE)).isTrue();
        assertThat(isAllowed(rules, ONE.hitsAddend(0))).isTrue();
        assertThat(isAllowed(rules, ONE)).isFalse();
    }
}
