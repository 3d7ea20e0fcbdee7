package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.Charge;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoliciesPlanTest {
    private static final String[] LINES = {
        "plans:",
        "  free: { requests: 60/min, burst: 10, jobs: 1 }",
        "  team: { requests: { rate: 600/min, burst: 100 }, jobs: 5 }",
        "  enterprise: { requests: 6000/h, jobs: unlimited }",
        "default_plan: free",
        "tenants:",
        "  acme: enterprise",
        "  globex: { plan: team, overrides: { requests: 900/min } }",
        "  initech: { plan: free, overrides: { jobs: 3 }, until: 2026-12-24 }",
        "policies:",
        "  - name: p",
        "    limits:",
        "      - { key: [tenant], token_bucket: plan.requests }",
        "      - { key: [tenant], concurrency: plan.jobs, ttl: 1m }",
    };

    private static List<String> limits(Sample sample, String... attributes) {
        return sample.ask(attributes).charges().stream()
                .map(Charge::limit)
                .map(limit -> limit.algorithm().toString())
                .toList();
    }

    @Test
    void tenant_hasItsPlan_andUnlistedOnesTheDefault() throws PolicyErrors {
        Sample sample = Sample.of(LINES);

        assertThat(limits(sample, "tenant", "acme"))
                .containsExactly("TokenBucket[permits=6000, period=PT1H, burst=6000]");
        assertThat(limits(sample, "tenant", "globex"))
                .containsExactly("TokenBucket[permits=900, period=PT1M, burst=900]", "Concurrency[slots=5, ttl=PT1M]");
        assertThat(limits(sample, "tenant", "unknown"))
                .isEqualTo(limits(sample))
                .containsExactly("TokenBucket[permits=60, period=PT1M, burst=10]", "Concurrency[slots=1, ttl=PT1M]");
    }

    @Test
    void raise_endsOnItsDay_byTheNodesClock() throws PolicyErrors {
        ManualClock clock = new ManualClock();
        clock.set(Instant.parse("2026-12-23T23:59:59.999999Z"));
        Sample sample = Sample.at(clock, LINES);

        assertThat(limits(sample, "tenant", "initech")).last().isEqualTo("Concurrency[slots=3, ttl=PT1M]");
        clock.advance(Duration.ofNanos(1_000));
        assertThat(limits(sample, "tenant", "initech")).last().isEqualTo("Concurrency[slots=1, ttl=PT1M]");
    }

    @Test
    void explanation_namesThePlan() throws PolicyErrors {
        Sample sample = Sample.of(LINES);

        Explanation acme = sample.policies().explain(Sample.request("tenant", "acme"));

        assertThat(acme.plan()).isEqualTo("enterprise");
        assertThat(acme.policies().get(0).limits().get(1).whyNot()).isEqualTo("unlimited in the plan enterprise");
        assertThat(sample.policies().explain(Sample.request("tenant", "globex")).plan())
                .isEqualTo("team with overrides");
    }
}
