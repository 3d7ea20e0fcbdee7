package dev.penstock.bench.redis;

import dev.penstock.bench.harness.Latency;
import dev.penstock.bench.harness.OverAStore;
import dev.penstock.bench.harness.Ratio;
import dev.penstock.bench.harness.Score;
import dev.penstock.bench.harness.Turn;
import dev.penstock.bench.harness.Wanted;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** The ratios of the case of latency: a decision against the PINGs of the same turn, and against the most it may take. */
final class AddedLatency {
    private static final double MOST_MICROS = 5_000;

    private AddedLatency() {}

    static List<Ratio> ratios(List<Score> scores) {
        Score ours = scores.stream()
                .filter(score -> score.contender().name().equals(Deciders.PENSTOCK))
                .findFirst()
                .orElseThrow();
        return List.of(
                ratio("added_latency_vs_ping", 2, ours, turn -> turn.latency().p99Micros() / pingP99(turn)),
                ratio(
                        "added_latency_p99_vs_5_ms",
                        1,
                        ours,
                        turn -> turn.latency().p99Micros() / MOST_MICROS));
    }

    private static double pingP99(OverAStore turn) {
        return turn.ping().map(Latency::p99Micros).orElseThrow();
    }

    private static Ratio ratio(String name, double atMost, Score ours, ToDoubleFunction<OverAStore> figure) {
        List<Double> rounds = ours.turns().stream()
                .map(Turn::overAStore)
                .map(figure::applyAsDouble)
                .toList();
        return new Ratio(name, Wanted.atMost(atMost), rounds, OptionalDouble.empty());
    }
}
