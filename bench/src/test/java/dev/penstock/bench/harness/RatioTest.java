package dev.penstock.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class RatioTest {
    private static final Expectation EXPECTATION = Expectation.throughput("ours_vs_theirs", "ours", "theirs", 2);

    @Test
    void of_twoScores_comparesThemRoundByRound() {
        Ratio ratio = Ratio.of(EXPECTATION, score(30, 20, 40), score(10, 20, 16));

        assertThat(ratio.rounds()).containsExactly(3.0, 1.0, 2.5);
        assertThat(ratio.value()).isEqualTo(2.5);
        assertThat(ratio.lowest()).isEqualTo(1);
        assertThat(ratio.highest()).isEqualTo(3);
        assertThat(ratio.byCpu().orElseThrow()).isCloseTo(2.5, within(1e-9));
        assertThat(ratio.isReached()).isTrue();
    }

    @Test
    void value_evenRounds_isBetweenTheMiddleTwo() {
        assertThat(new Ratio("r", Wanted.atLeast(2), List.of(9.0, 1.0, 2.0, 1.5), OptionalDouble.empty()).value())
                .isEqualTo(1.75);
    }

    @Test
    void isReached_atTheExpectedValue_butNotBelow() {
        assertThat(new Ratio("r", Wanted.atLeast(1.2), List.of(1.2), OptionalDouble.empty()).isReached())
                .isTrue();
        assertThat(new Ratio("r", Wanted.atLeast(1.2), List.of(1.199), OptionalDouble.empty()).isReached())
                .isFalse();
    }

    @Test
    void isReached_atMost_upToTheExpectedValue() {
        assertThat(new Ratio("r", Wanted.atMost(0.5), List.of(0.5), OptionalDouble.empty()).isReached())
                .isTrue();
        assertThat(new Ratio("r", Wanted.atMost(0.5), List.of(0.51), OptionalDouble.empty()).isReached())
                .isFalse();
        assertThat(Wanted.atMost(0.5)).hasToString("<= 0.5");
    }

    @Test
    void of_medianLatency_comparesOursToTheirs() {
        Ratio ratio = Ratio.of(Expectation.medianLatency("r", "ours", "theirs", 0.5), overAStore(40), overAStore(100));

        assertThat(ratio.value()).isEqualTo(0.4);
        assertThat(ratio.byCpu()).isEmpty();
        assertThat(ratio.isReached()).isTrue();
    }

    @Test
    void of_cost_isHowManyTimesAsLongOursTakes() {
        Ratio ratio = Ratio.of(Expectation.cost("r", "ours", "theirs", 3), score(10), score(30));

        assertThat(ratio.value()).isCloseTo(3, within(1e-9));
        assertThat(ratio.byCpu().orElseThrow()).isCloseTo(3, within(1e-9));
    }

    private static Score overAStore(double p50Micros) {
        OverAStore store = new OverAStore(new Latency(p50Micros, 1_000), Optional.empty(), 1, 1, 1, 0);
        return new Score(
                "case", Contender.inRatio("any"), List.of(new Turn(List.of(1.0), 1, 1, 1, Optional.of(store))));
    }

    private static Score score(double... opsPerSecond) {
        List<Turn> turns = Arrays.stream(opsPerSecond)
                .mapToObj(ops -> new Turn(List.of(ops - 1, ops + 1), 1_000 / ops, 100, 1))
                .toList();
        return new Score("case", Contender.inRatio("any"), turns);
    }
}
