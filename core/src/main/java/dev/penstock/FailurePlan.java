package dev.penstock;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.engine.Guard;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a policy does while the store does not answer: a failure mode, how long it holds and which mode follows, and how
 * local shares treat keys that this node has not seen.
 *
 * <p>Immutable. {@code FailurePlan.of(FailureMode.OPEN).atMost(Duration.ofMinutes(5), FailureMode.LOCAL)} lets every
 * request pass for the first five minutes of an outage and then enforces local shares.
 *
 * @param mode the mode at the start of an outage
 * @param bound how long the mode holds and what follows; null if it holds for the whole outage. A {@code LOCAL} plan
 *     without a bound uses the bound of its {@link Guard}.
 * @param unseen how a share starts for a key on which the store has not reported recently
 */
@CheckReturnValue
public record FailurePlan(FailureMode mode, @Nullable Bound bound, Unseen unseen) {
    /** How a local share starts for a key on which the store has not reported recently. */
    public enum Unseen {
        /** With this node's full share of the limit. All nodes together give out at most the limit, once per outage. */
        SHARE,
        /** With one permit. Use it where guessing is worse than a wrong denial: logins, one-time codes. */
        ONE
    }

    /**
     * How long a mode holds, and the mode that follows.
     *
     * @param time measured from the moment the guard gave up the store
     */
    public record Bound(Duration time, FailureMode then) {
        public Bound {
            Expect.micros(time, Algorithm.LONGEST, "time");
            Expect.present(then, "then");
        }
    }

    public FailurePlan {
        Expect.present(mode, "mode");
        Expect.present(unseen, "unseen");
        Expect.that(bound == null || bound.then != mode, "then", mode, "another mode than the one it follows");
        Expect.that(
                unseen == Unseen.SHARE || isLocal(mode, bound),
                "unseen",
                unseen,
                "SHARE, because a plan without LOCAL has no shares");
    }

    /** A plan that stays in one mode, and starts unseen keys with their share. */
    public static FailurePlan of(FailureMode mode) {
        return new FailurePlan(mode, null, Unseen.SHARE);
    }

    /** Returns a plan whose mode holds for this time at most, measured from the start of the outage. */
    public FailurePlan atMost(Duration time, FailureMode then) {
        return new FailurePlan(mode, new Bound(time, then), unseen);
    }

    /** Returns a plan that starts the shares of unseen keys like this. */
    public FailurePlan unseen(Unseen choice) {
        return new FailurePlan(mode, bound, choice);
    }

    /** Whether local shares decide at some time of an outage. */
    public boolean usesShares() {
        return isLocal(mode, bound);
    }

    private static boolean isLocal(FailureMode mode, @Nullable Bound bound) {
        return mode == FailureMode.LOCAL || (bound != null && bound.then == FailureMode.LOCAL);
    }
}
