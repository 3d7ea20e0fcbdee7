package dev.penstock.bench.redis;

import dev.penstock.bench.harness.Ratio;
import dev.penstock.bench.harness.Score;
import dev.penstock.bench.harness.Turn;
import dev.penstock.bench.harness.Wanted;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Ratios of cases in which more is asked for than a limit allows: what is admitted of it, and at what cost. */
final class LimitUse {
    private LimitUse() {}

    /** What a turn admitted of what the limit allows in its time; a burst of it may be of the time before. */
    static Ratio leased(List<Score> scores, double permitsPerSecond) {
        return ratio(
                "hot_key_leased_use_of_limit",
                Wanted.atLeast(0.97),
                turnsOf(scores, Deciders.PENSTOCK_LEASED),
                turn -> turn.meanOpsPerSecond() * turn.allowedShare() / permitsPerSecond);
    }

    static Ratio attack(List<Score> scores) {
        return ratio(
                "attack_commands_per_admitted",
                Wanted.atMost(2.2),
                turnsOf(scores, Deciders.PENSTOCK_CACHED),
                turn -> turn.overAStore().scriptsPerOp() / turn.allowedShare());
    }

    private static List<Turn> turnsOf(List<Score> scores, String contender) {
        return scores.stream()
                .filter(score -> score.contender().name().equals(contender))
                .findFirst()
                .orElseThrow()
                .turns();
    }

    private static Ratio ratio(String name, Wanted wanted, List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return new Ratio(name, wanted, turns.stream().map(figure::applyAsDouble).toList(), OptionalDouble.empty());
    }
}
