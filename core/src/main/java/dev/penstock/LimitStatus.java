package dev.penstock;

import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of one limit when a request was decided. If the request was charged, the charge is included. Immutable.
 *
 * @param charge the limit, key and cost
 * @param outcome whether the cost fit
 * @param cost the cost that the request asked for
 * @param remaining how much can still be used at once
 * @param resetAfter how long until everything used so far has come back. For reserved costs, this assumes that each is
 *     charged when it expires, which is the latest
 * @param retry when the cost may fit; null if it fit
 */
public record LimitStatus(
        Charge charge,
        Outcome outcome,
        long cost,
        long remaining,
        Duration resetAfter,
        @Nullable Retry retry) {
    /** The result of a charge. */
    public enum Outcome {
        /** The limit had enough left for the cost. */
        FITTED,
        /** The limit did not have enough left for the cost. */
        EXCEEDED,
        /** The key is blocked because of this denial or earlier ones, regardless of what is left. */
        BLOCKED
    }

    /** Returns the name of the policy. */
    public String policy() {
        return charge.settings().policy();
    }

    /** Returns the limit. */
    public Limit limit() {
        return charge.limit();
    }

    /** Returns the key that was counted. */
    public Key key() {
        return charge.key();
    }

    /** Returns the maximum that can be used at once. */
    public long capacity() {
        return limit().capacity();
    }

    /**
     * Returns the attributes of the key that the request lacked. Such requests share one account, so a denial may be
     * caused by other users.
     */
    public List<String> missing() {
        return charge.missing();
    }

    /** Returns whether the cost did not fit. */
    public boolean isExceeded() {
        return outcome != Outcome.FITTED;
    }

    /** Returns whether the key is blocked because of denials by this limit. */
    public boolean isBlocked() {
        return outcome == Outcome.BLOCKED;
    }

    /** Returns whether exceeding this limit denies the request. If not, it is a shadow limit. */
    public boolean isEnforced() {
        return charge.isEnforced();
    }

    /** Returns whether this limit has a smaller part of its capacity left than the other limit. */
    public boolean isNearerToExhaustionThan(LimitStatus other) {
        long mineHigh = Math.multiplyHigh(remaining, other.capacity());
        long theirsHigh = Math.multiplyHigh(other.remaining, capacity());
        return mineHigh < theirsHigh
                || (mineHigh == theirsHigh
                        && Long.compareUnsigned(remaining * other.capacity(), other.remaining * capacity()) < 0);
    }
}
