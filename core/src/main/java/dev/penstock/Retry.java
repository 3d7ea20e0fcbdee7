package dev.penstock;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The time at which a denied request may be worth trying again. */
public sealed interface Retry {
    /**
     * Exact: denied before this time, and allowed from then on if nobody else uses the limit meanwhile.
     *
     * @param time the moment
     * @param after the wait until that moment, measured from the decision
     */
    record NotBefore(Instant time, Duration after) implements Retry {}

    /**
     * An estimate: the request may fit earlier or later, because a permit may be released or settled at any time, or
     * the store may be back.
     *
     * @param time the moment
     * @param after the wait until that moment, measured from the decision
     */
    record Estimate(Instant time, Duration after) implements Retry {}

    /**
     * Waiting does not help: the cost is above the limit's capacity, a deny list or the default decided, or the id
     * belongs to another request.
     */
    record Never() implements Retry {}

    /** Returns how long to wait, measured from the decision, or null for {@link Never}. */
    default @Nullable Duration waitFor() {
        if (this instanceof NotBefore notBefore) {
            return notBefore.after;
        }
        return this instanceof Estimate estimate ? estimate.after : null;
    }

    /** Returns the later of the two. If both are at the same time, returns the exact one. */
    default Retry orLater(Retry other) {
        Duration mine = waitFor();
        Duration theirs = other.waitFor();
        if (mine == null || theirs == null) {
            return mine == null ? this : other;
        }
        int order = mine.compareTo(theirs);
        return order > 0 || (order == 0 && this instanceof NotBefore) ? this : other;
    }
}
