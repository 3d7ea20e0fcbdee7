package dev.penstock.bench.redis;

import dev.penstock.bench.harness.TurnRatio;
import dev.penstock.bench.harness.Wanted;

/** Ratios for cases in which demand exceeds a limit: the share of the limit that is admitted, and its cost. */
final class LimitUse {
    static final TurnRatio ATTACK = new TurnRatio(
            "attack_commands_per_admitted",
            Deciders.PENSTOCK_CACHED,
            turn -> turn.overAStore().scriptsPerOp() / turn.allowedShare(),
            Wanted.atMost(2.2));

    private LimitUse() {}

    /**
     * The admitted requests of a turn relative to what the limit allows in that time. A burst may still be from the
     * time before.
     */
    static TurnRatio leased(double permitsPerSecond) {
        return new TurnRatio(
                "hot_key_leased_use_of_limit",
                Deciders.PENSTOCK_LEASED,
                turn -> turn.meanOpsPerSecond() * turn.allowedShare() / permitsPerSecond,
                Wanted.atLeast(0.97));
    }
}
