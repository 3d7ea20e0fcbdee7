package dev.penstock;

import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one limit stood when a request was decided: after the charge where it was made, else as it was.
 *
 * @param outcome whether the cost fitted
 * @param cost what the request asked of this limit
 * @param remaining what could still be had at once
 * @param resetAfter how long until everything spent so far has come back
 * @param retry when the cost may fit; null where it did
 */
public record LimitStatus(
        Charge charge,
        Outcome outcome,
        long cost,
        long remaining,
        Duration resetAfter,
        @Nullable Retry retry) {
    /** What became of the charge. */
    public enum Outcome {
        FITTED,
        EXCEEDED,
        /** The key is blocked, whatever is left: for this denial or earlier ones. */
        BLOCKED
    }

    public String policy() {
        return charge.settings().policy();
    }

    public Limit limit() {
        return charge.limit();
    }

    public Key key() {
        return charge.key();
    }

    /** The limit's value: the most that can be had at once. */
    public long capacity() {
        return limit().capacity();
    }

    public boolean isExceeded() {
        return outcome != Outcome.FITTED;
    }

    /** Whether not a limit stands in the way, but a block that its denials have brought; its limit has the same id. */
    public boolean isBlocked() {
        return outcome == Outcome.BLOCKED;
    }

    /** Whether exceeding this limit denies; else it is only observed. */
    public boolean isEnforced() {
        return charge.isEnforced();
    }

    /** Whether less of this limit is left, as a share of its capacity, than of the other. */
    public boolean isNearerToExhaustionThan(LimitStatus other) {
        long mineHigh = Math.multiplyHigh(remaining, other.capacity());
        long theirsHigh = Math.multiplyHigh(other.remaining, capacity());
        return mineHigh < theirsHigh
                || (mineHigh == theirsHigh
                        && Long.compareUnsigned(remaining * other.capacity(), other.remaining * capacity()) < 0);
    }
}
