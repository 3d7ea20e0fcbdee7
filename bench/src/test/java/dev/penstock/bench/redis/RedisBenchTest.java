package dev.penstock.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchOptions;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.Latency;
import dev.penstock.bench.harness.MemoryPerKey;
import dev.penstock.bench.harness.OverAStore;
import dev.penstock.bench.harness.Ratio;
import dev.penstock.bench.harness.Score;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Turn;
import dev.penstock.bench.harness.UsageError;
import dev.penstock.testkit.server.RedisServer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedisBenchTest {
    @Test
    void caseNames_eachMayBeTheOnlyOne() throws UsageError {
        List<String> names = new RedisBench().caseNames();

        for (String name : names) {
            assertThat(BenchOptions.parse(List.of("--only", name), names, Settings.CAREFUL)
                            .includes(name))
                    .isTrue();
        }
        assertThatThrownBy(() -> BenchOptions.parse(List.of("--only", "cold_key"), names, Settings.CAREFUL))
                .isInstanceOf(UsageError.class)
                .hasMessage("--only: cold_key (expected: uniform, zipf, hot_key, hot_key_leased, attack, three_limits,"
                        + " three_limits_latency, latency, memory)");
    }

    @Test
    void expectations_compareContendersThatHaveATurnInEveryRound() {
        try (RedisServer server = RedisServer.start()) {
            List<BenchCase> cases = RedisBench.cases(server);

            for (BenchCase benchCase : cases) {
                for (Expectation expectation : benchCase.expectations()) {
                    assertThat(benchCase.contenders())
                            .contains(Contender.inRatio(expectation.ours()), Contender.inRatio(expectation.peer()));
                }
            }
            assertThat(cases.stream().flatMap(each -> each.expectations().stream()))
                    .extracting(Expectation::ratio)
                    .containsExactly(
                            "uniform_vs_bucket4j",
                            "uniform_vs_plain_evalsha",
                            "hot_key_strict_vs_bucket4j",
                            "hot_key_leased_vs_plain_evalsha",
                            "three_limits_vs_three_plain_evalsha",
                            "three_limits_latency_vs_three_sequential");
        }
    }

    @Test
    void addedLatency_isToThePingsOfTheSameTurn() {
        Score ours = new Score(
                Scenario.LATENCY.caseName(),
                Contender.inRatio(Deciders.PENSTOCK),
                List.of(turn(300, 200), turn(900, 300), turn(100, 100)));

        List<Ratio> ratios = AddedLatency.ratios(List.of(ours));

        assertThat(ratios)
                .extracting(Ratio::name)
                .containsExactly("added_latency_vs_ping", "added_latency_p99_vs_5_ms");
        assertThat(ratios.get(0).rounds()).containsExactly(1.5, 3.0, 1.0);
        assertThat(ratios.get(1).value()).isEqualTo(0.06);
    }

    @Test
    void limitUse_isWhatWasAdmittedAndWhatThatCost() {
        OverAStore store = new OverAStore(new Latency(1, 1), Optional.empty(), 1, 0.002, 1, 0);
        Turn turn = new Turn(List.of(50_000.0), 1, 1, 0.001, Optional.of(store));
        Score attacked =
                new Score(Scenario.ATTACK.caseName(), Contender.inRatio(Deciders.PENSTOCK_CACHED), List.of(turn));
        Score leased = new Score(
                Scenario.HOT_KEY_LEASED.caseName(), Contender.inRatio(Deciders.PENSTOCK_LEASED), List.of(turn));

        assertThat(LimitUse.attack(List.of(attacked)).value()).isEqualTo(2.0);
        assertThat(LimitUse.leased(List.of(leased), 100).value()).isEqualTo(0.5);
    }

    @Test
    void memory_ratioIsTheirsToOurs() {
        Ratio ratio = RedisMemory.ratio(
                List.of(new MemoryPerKey(Deciders.PENSTOCK, 10, 800), new MemoryPerKey(Deciders.BUCKET4J, 10, 2_000)));

        assertThat(ratio.value()).isEqualTo(2.5);
        assertThat(ratio.isReached()).isTrue();
    }

    private static Turn turn(double p99Micros, double pingP99Micros) {
        OverAStore store =
                new OverAStore(new Latency(50, p99Micros), Optional.of(new Latency(50, pingP99Micros)), 1, 1, 1, 0);
        return new Turn(List.of(1_000.0), 1, 1, 1, Optional.of(store));
    }
}
