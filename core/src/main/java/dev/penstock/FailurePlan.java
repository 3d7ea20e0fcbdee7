package dev.penstock;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.engine.Guard;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The behavior of a policy while the store does not answer: a failure mode, how long it applies and which mode follows,
 * and how local shares treat keys that this node has not seen.
 *
 * <p>Immutable. {@code FailurePlan.of(FailureMode.OPEN).atMost(Duration.ofMinutes(5), FailureMode.LOCAL)} lets every
 * request pass for the first five minutes of an outage and then enforces local shares.
 *
 * @param mode the mode at the start of an outage
 * @param bound how long the mode applies and what follows; null if it applies for the whole outage. A {@code LOCAL}
 *     plan without a bound uses the bound of its {@link Guard}.
 * @param unseen how a share starts for a key on which the store has not reported recently
 */
@CheckReturnValue
public record FailurePlan(FailureMode mode, @Nullable Bound bound, Unseen unseen) {
    /** The state in which a local share starts for a key on which the store has not reported recently. */
    public enum Unseen {
        /** With this node's full share of the limit, so that all nodes together start with at most the limit. */
        SHARE,
        /** With one permit. Use it where a wrong denial is better than an extra attempt: logins, one-time codes. */
        ONE
    }

    /**
     * The time for which a mode applies, and the mode that follows.
     *
     * @param time measured from the start of the outage, when the guard stops asking the store
     * @param then the mode that follows
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
        Expect.that(bound == null || bound.then != mode, "then", mode, "a mode other than the one it follows");
        Expect.that(
                unseen == Unseen.SHARE || isLocal(mode, bound),
                "unseen",
                unseen,
                "SHARE, because a plan without LOCAL has no shares");
    }

    /** Returns a plan that keeps one mode for the whole outage and starts unseen keys with their share. */
    public static FailurePlan of(FailureMode mode) {
        return new FailurePlan(mode, null, Unseen.SHARE);
    }

    /**
     * Returns this plan with a time limit for its mode, measured from the start of the outage. After it, {@code then}
     * applies.
     */
    public FailurePlan atMost(Duration time, FailureMode then) {
        return new FailurePlan(mode, new Bound(time, then), unseen);
    }

    /** Returns this plan with another start for the local shares of unseen keys. */
    public FailurePlan unseen(Unseen choice) {
        return new FailurePlan(mode, bound, choice);
    }

    /** Returns whether local shares decide during at least a part of an outage. */
    public boolean usesShares() {
        return isLocal(mode, bound);
    }

    private static boolean isLocal(FailureMode mode, @Nullable Bound bound) {
        return mode == FailureMode.LOCAL || (bound != null && bound.then == FailureMode.LOCAL);
    }
}
