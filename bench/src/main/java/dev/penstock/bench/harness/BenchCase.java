package dev.penstock.bench.harness;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A case that several contenders run. Immutable.
 *
 * @param measure how a contender takes its turn
 * @param allowed the share of allowed decisions that the case requires
 * @param expectations expected ratios of two contenders
 * @param turnRatios expected ratios within the turns of one contender
 */
public record BenchCase(
        String name,
        Measure measure,
        AllowedShare allowed,
        List<Contender> contenders,
        List<Expectation> expectations,
        List<TurnRatio> turnRatios) {
    /** The bounds of the share of allowed decisions, from 0 to 1. */
    public record AllowedShare(double least, double most) {
        boolean includes(double share) {
            return share >= least && share <= most;
        }

        @Override
        public String toString() {
            return least + " to " + most;
        }
    }

    public BenchCase {
        contenders = List.copyOf(contenders);
        expectations = List.copyOf(expectations);
        turnRatios = List.copyOf(turnRatios);
    }

    /** Creates a case without contenders. */
    public BenchCase(String name, Measure measure, AllowedShare allowed) {
        this(name, measure, allowed, List.of(), List.of(), List.of());
    }

    /** Returns a copy with more contenders that take a turn in every round. */
    public BenchCase inRatio(String... names) {
        return with(Stream.of(names).map(Contender::inRatio).toList());
    }

    /** Returns a copy with more contenders that take one turn. */
    public BenchCase reported(String... names) {
        return with(Stream.of(names).map(Contender::reported).toList());
    }

    private BenchCase with(List<Contender> more) {
        return new BenchCase(name, measure, allowed, joined(contenders, more), expectations, turnRatios);
    }

    public BenchCase expecting(Expectation... more) {
        return new BenchCase(name, measure, allowed, contenders, joined(expectations, List.of(more)), turnRatios);
    }

    public BenchCase expecting(TurnRatio... more) {
        return new BenchCase(name, measure, allowed, contenders, expectations, joined(turnRatios, List.of(more)));
    }

    private static <T> List<T> joined(List<T> some, List<T> more) {
        List<T> all = new ArrayList<>(some);
        all.addAll(more);
        return all;
    }

    int turns(Settings settings) {
        int turns = 0;
        for (Contender contender : contenders) {
            turns += contender.part() == Contender.Part.RATIO ? settings.rounds() : 1;
        }
        return turns;
    }

    /** Returns the ratios of these scores of the case. */
    public List<Ratio> ratios(List<Score> scores) {
        List<Ratio> ratios = new ArrayList<>();
        for (Expectation expected : expectations) {
            ratios.add(Ratio.of(expected, find(scores, expected.ours()), find(scores, expected.peer())));
        }
        for (TurnRatio expected : turnRatios) {
            ratios.add(expected.of(find(scores, expected.contender())));
        }
        return ratios;
    }

    private static Score find(List<Score> scores, String contender) {
        return scores.stream()
                .filter(score -> score.contender().name().equals(contender))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(contender + " (expected: a contender of the case)"));
    }
}
