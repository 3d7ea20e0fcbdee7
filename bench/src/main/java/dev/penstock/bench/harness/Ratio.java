package dev.penstock.bench.harness;

import dev.penstock.bench.harness.Expectation.Figure;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The ratio of our measurement to a competitor's. There is one per round, from turns that ran one after the other.
 *
 * <p>The value is the median of the rounds, so that a single disturbed round does not matter.
 *
 * @param byCpu the ratio by processor time instead of elapsed time, if it was measured
 */
public record Ratio(String name, Wanted wanted, List<Double> rounds, OptionalDouble byCpu) {
    public Ratio {
        rounds = List.copyOf(rounds);
    }

    /** Returns the ratio of two scores with a turn in each round. */
    static Ratio of(Expectation expectation, Score ours, Score peer) {
        Figure figure = expectation.figure();
        List<Double> rounds = new ArrayList<>();
        List<Double> byCpu = new ArrayList<>();
        for (int i = 0; i < ours.turns().size(); i++) {
            Turn our = ours.turns().get(i);
            Turn their = peer.turns().get(i);
            rounds.add(figure.of(our) / figure.of(their));
            double cost = our.cpuNanosPerOp() / their.cpuNanosPerOp();
            byCpu.add(figure == Figure.OPS_PER_SECOND ? 1 / cost : cost);
        }
        OptionalDouble cpu = figure == Figure.P50_MICROS ? OptionalDouble.empty() : OptionalDouble.of(median(byCpu));
        return new Ratio(expectation.ratio(), expectation.wanted(), rounds, cpu);
    }

    public double value() {
        return median(rounds);
    }

    public double lowest() {
        return Collections.min(rounds);
    }

    public double highest() {
        return Collections.max(rounds);
    }

    public boolean isReached() {
        return wanted.isReachedBy(value());
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }
}
