package dev.penstock.bench.harness;

import java.util.List;

/**
 * One question that several contenders answer.
 *
 * @param measure how a contender takes its turn
 * @param allowed the share of allowed decisions that makes it this case
 */
public record BenchCase(
        String name,
        Measure measure,
        AllowedShare allowed,
        List<Contender> contenders,
        List<Expectation> expectations) {
    /** The least and the most share of decisions that may turn out allowed, from 0 to 1. */
    public record AllowedShare(double least, double most) {
        boolean includes(double share) {
            return share >= least && share <= most;
        }

        @Override
        public String toString() {
            return least + " to " + most;
        }
    }

    int turns(Settings settings) {
        int turns = 0;
        for (Contender contender : contenders) {
            turns += contender.part() == Contender.Part.RATIO ? settings.rounds() : 1;
        }
        return turns;
    }
}
