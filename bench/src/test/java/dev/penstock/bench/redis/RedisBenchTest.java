package dev.penstock.bench.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchOptions;
import dev.penstock.bench.harness.BenchUsageError;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.Latency;
import dev.penstock.bench.harness.MemoryPerKey;
import dev.penstock.bench.harness.OverAStore;
import dev.penstock.bench.harness.Ratio;
import dev.penstock.bench.harness.Score;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Turn;
import dev.penstock.bench.harness.TurnRatio;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RedisBenchTest {
    @Test
    void caseNames_canEachBeSelected() throws BenchUsageError {
        List<String> names = new RedisBench().caseNames();

        for (String name : names) {
            assertThat(BenchOptions.parse(List.of("--only", name), names, Settings.CAREFUL)
                            .includes(name))
                    .isTrue();
        }
        assertThatThrownBy(() -> BenchOptions.parse(List.of("--only", "cold_key"), names, Settings.CAREFUL))
                .isInstanceOf(BenchUsageError.class)
                .hasMessage(
                        "--only: cold_key (expected: uniform, zipf, hot_key, hot_key_leased, attack, three_limits,"
                                + " three_limits_latency, fleet, fleet_three_limits, latency, cluster_slots, cluster_slots_latency, memory)");
    }

    @Test
    void expectations_compareContendersWithATurnInEveryRound() {
        List<BenchCase> cases = new RedisBench().cases();

        for (BenchCase benchCase : cases) {
            for (Expectation expectation : benchCase.expectations()) {
                assertThat(benchCase.contenders())
                        .contains(Contender.inRatio(expectation.ours()), Contender.inRatio(expectation.peer()));
            }
            for (TurnRatio expectation : benchCase.turnRatios()) {
                assertThat(benchCase.contenders()).contains(Contender.inRatio(expectation.contender()));
            }
        }
        assertThat(cases.stream().flatMap(each -> each.expectations().stream()))
                .extracting(Expectation::ratio)
                .containsExactly(
                        "uniform_vs_bucket4j",
                        "uniform_vs_plain_evalsha",
                        "hot_key_strict_vs_bucket4j",
                        "hot_key_strict_vs_bucket4j_batching",
                        "hot_key_leased_vs_plain_evalsha",
                        "three_limits_vs_three_plain_evalsha",
                        "three_limits_latency_vs_three_sequential",
                        "fleet_script_time_vs_plain_evalsha",
                        "fleet_store_cpu_vs_plain_evalsha",
                        "fleet_script_time_vs_shortest_script",
                        "fleet_three_limits_script_time_vs_three_plain",
                        "fleet_three_limits_script_time_vs_three_shortest",
                        "cluster_spanning_vs_colocated",
                        "cluster_spanning_latency_vs_colocated");
        assertThat(cases.stream().flatMap(each -> each.turnRatios().stream()))
                .extracting(TurnRatio::ratio)
                .containsExactly(
                        "hot_key_leased_use_of_limit",
                        "attack_commands_per_admitted",
                        "added_latency_vs_ping",
                        "added_latency_p99_vs_5_ms");
    }

    @Test
    void addedLatency_isRelativeToThePingsOfTheSameTurn() {
        Ratio toPing = ratio(AddedLatency.TO_PING, turn(300, 200), turn(900, 300), turn(100, 100));

        assertThat(toPing.rounds()).containsExactly(1.5, 3.0, 1.0);
        assertThat(ratio(AddedLatency.TO_THE_MOST, turn(300, 200)).value()).isEqualTo(0.06);
    }

    @Test
    void limitUse_isTheAdmittedShareAndItsCost() {
        OverAStore store = new OverAStore(new Latency(1, 1), Optional.empty(), 1, 0.002, 1, 0);
        Turn turn = new Turn(List.of(50_000.0), 1, 1, 0.001, Optional.of(store));

        assertThat(ratio(LimitUse.ATTACK, turn).value()).isEqualTo(2.0);
        assertThat(ratio(LimitUse.leased(100), turn).value()).isEqualTo(0.5);
    }

    private static Ratio ratio(TurnRatio wanted, Turn... turns) {
        BenchCase any = new RedisBench().cases().get(0);
        return new BenchCase(any.name(), any.measure(), any.allowed())
                .inRatio(wanted.contender())
                .expecting(wanted)
                .ratios(List.of(new Score(any.name(), Contender.inRatio(wanted.contender()), List.of(turns))))
                .get(0);
    }

    @Test
    void memory_ratioIsTheirsToOurs() {
        Ratio ratio = new RedisBench()
                .memory(Settings.QUICK)
                .orElseThrow()
                .ratio(List.of(
                        new MemoryPerKey(Deciders.PENSTOCK, 10, 800), new MemoryPerKey(Deciders.BUCKET4J, 10, 2_000)));

        assertThat(ratio.value()).isEqualTo(2.5);
        assertThat(ratio.isReached()).isTrue();
    }

    @Test
    void clusterSlots_nothingIsExpectedOfTheRatio() {
        BenchCase slots = new RedisBench()
                .cases().stream()
                        .filter(each -> each.name().equals(Scenario.CLUSTER_SLOTS.caseName()))
                        .findFirst()
                        .orElseThrow();

        List<Ratio> ratios = slots.ratios(slots.contenders().stream()
                .map(contender -> new Score(slots.name(), contender, List.of(turn(1, 1))))
                .toList());

        assertThat(ratios).singleElement().satisfies(ratio -> {
            assertThat(ratio.isReached()).isTrue();
            assertThat(ratio.wanted()).hasToString("-");
        });
    }

    private static Turn turn(double p99Micros, double pingP99Micros) {
        OverAStore store =
                new OverAStore(new Latency(50, p99Micros), Optional.of(new Latency(50, pingP99Micros)), 1, 1, 1, 0);
        return new Turn(List.of(1_000.0), 1, 1, 1, Optional.of(store));
    }
}
