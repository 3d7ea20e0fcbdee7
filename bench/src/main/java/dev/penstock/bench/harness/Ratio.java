package dev.penstock.bench.harness;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * How many times better than a peer: a figure for each round, of turns that ran one after the other.
 *
 * <p>The value is the median of the rounds, so that one that was disturbed does not count.
 */
public record Ratio(String name, double atLeast, List<Double> rounds) {
    public Ratio {
        rounds = List.copyOf(rounds);
    }

    /** The ratio of two scores with a turn in each round. */
    static Ratio of(Expectation expectation, Score ours, Score peer) {
        List<Double> rounds = new ArrayList<>();
        for (int i = 0; i < ours.turns().size(); i++) {
            rounds.add(
                    ours.turns().get(i).meanOpsPerSecond() / peer.turns().get(i).meanOpsPerSecond());
        }
        return new Ratio(expectation.ratio(), expectation.atLeast(), rounds);
    }

    public double value() {
        List<Double> sorted = rounds.stream().sorted().toList();
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    public double lowest() {
        return Collections.min(rounds);
    }

    public double highest() {
        return Collections.max(rounds);
    }

    public boolean isReached() {
        return value() >= atLeast;
    }
}
