package dev.penstock.bench.redis;

import dev.penstock.bench.harness.TurnRatio;
import dev.penstock.bench.harness.Wanted;

/** Ratios of cases in which more is asked for than a limit allows: what is admitted of it, and at what cost. */
final class LimitUse {
    static final TurnRatio ATTACK = new TurnRatio(
            "attack_commands_per_admitted",
            Deciders.PENSTOCK_CACHED,
            turn -> turn.overAStore().scriptsPerOp() / turn.allowedShare(),
            Wanted.atMost(2.2));

    private LimitUse() {}

    /** What a turn admitted of what the limit allows in its time; a burst of it may be of the time before. */
    static TurnRatio leased(double permitsPerSecond) {
        return new TurnRatio(
                "hot_key_leased_use_of_limit",
                Deciders.PENSTOCK_LEASED,
                turn -> turn.meanOpsPerSecond() * turn.allowedShare() / permitsPerSecond,
                Wanted.atLeast(0.97));
    }
}
