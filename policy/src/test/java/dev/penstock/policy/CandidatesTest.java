package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Limiter;
import dev.penstock.Request;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.testkit.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CandidatesTest {
    private final List<String> differences = new ArrayList<>();

    private Limiter limiter(Sample sample, MemoryEngine engine, Candidates candidates) {
        return Limiter.builder(sample.policies())
                .engine(engine)
                .listener(candidates)
                .build();
    }

    private Candidates candidates(Sample sample, MemoryEngine engine) {
        return new Candidates(
                sample::policies,
                engine,
                difference -> differences.add(difference.candidateName() + " " + difference.kind()));
    }

    private Candidates.Comparison run(int requests, String live, String candidate, String... more) throws PolicyErrors {
        ManualClock clock = new ManualClock();
        List<String> lines = new ArrayList<>(List.of(
                "policies:",
                "  - { name: live, match: { route: /api/** }, limits: [ { key: [user], token_bucket: " + live
                        + " } ] }",
                "  - { name: next, candidate_of: live, limits: [ { key: [user], token_bucket: " + candidate
                        + " } ] }"));
        lines.addAll(List.of(more));
        Sample sample = Sample.at(clock, lines.toArray(String[]::new));
        MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
        Candidates candidates = candidates(sample, engine);
        try (Limiter limiter = limiter(sample, engine, candidates)) {
            Request ann = Sample.request("route", "/api/x", "user", "ann");
            for (int i = 0; i < requests; i++) {
                limiter.decide(ann);
            }
            limiter.decide(Sample.request("route", "/other", "user", "ann"));
        }
        return candidates.comparison("next", "live");
    }

    @Test
    void stricterCandidate_reportsWhatItWouldDeny_andDeniesNothing() throws PolicyErrors {
        assertThat(run(10, "10/h", "7/h")).isEqualTo(new Candidates.Comparison(7, 3, 0));
        assertThat(differences).hasSize(3).containsOnly("next STRICTER");
    }

    @Test
    void looserCandidate_countsOnItsOwn() throws PolicyErrors {
        assertThat(run(20, "5/h", "12/h")).isEqualTo(new Candidates.Comparison(5 + 8, 0, 7));
        assertThat(differences).hasSize(7).containsOnly("next LOOSER");
    }

    @Test
    void candidateWithABlock_blocksAsItsLivePolicyDoes() throws PolicyErrors {
        assertThat(run(10, "2/s, block_for: 1h", "2/s, block_for: 1h")).isEqualTo(new Candidates.Comparison(10, 0, 0));
    }

    @Test
    void retryWithTheSameId_isChargedOnceToTheCandidateToo() throws PolicyErrors {
        ManualClock clock = new ManualClock();
        Sample sample = Sample.at(
                clock,
                "policies:",
                "  - { name: live, limits: [ { key: [user], token_bucket: 3/h } ] }",
                "  - { name: next, candidate_of: live, limits: [ { key: [user], token_bucket: 3/h } ] }");
        MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
        Candidates candidates = candidates(sample, engine);
        try (Limiter limiter = limiter(sample, engine, candidates)) {
            for (int i = 0; i < 10; i++) {
                limiter.decide(Sample.request("user", "ann").id("retry"));
            }
        }
        assertThat(candidates.comparison("next", "live")).isEqualTo(new Candidates.Comparison(10, 0, 0));
    }

    @Test
    void livePolicyWithoutALimit_isCompared() throws PolicyErrors {
        ManualClock clock = new ManualClock();
        Sample sample = Sample.at(
                clock,
                "plans: { free: { requests: unlimited } }",
                "default_plan: free",
                "policies:",
                "  - { name: live, limits: [ { key: [user], token_bucket: plan.requests } ] }",
                "  - { name: next, candidate_of: live, limits: [ { key: [user], token_bucket: 3/h } ] }");
        MemoryEngine engine = MemoryEngine.builder().clock(clock).build();
        Candidates candidates = candidates(sample, engine);
        try (Limiter limiter = limiter(sample, engine, candidates)) {
            for (int i = 0; i < 10; i++) {
                limiter.decide(Sample.request("user", "ann"));
            }
        }
        assertThat(candidates.comparison("next", "live")).isEqualTo(new Candidates.Comparison(3, 7, 0));
    }

    @Test
    void requestDeniedByAnotherPolicy_isNotCompared() throws PolicyErrors {
        assertThat(run(10, "10/h", "7/h", "  - { name: other, limits: [ { key: [], token_bucket: 4/h } ] }"))
                .isEqualTo(new Candidates.Comparison(4, 0, 0));
    }
}
