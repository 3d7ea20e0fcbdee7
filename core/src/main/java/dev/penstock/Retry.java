package dev.penstock;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When a denied request may be worth trying again. */
public sealed interface Retry {
    /** Not admitted before this time; at this time it is, for a client that is alone. */
    record NotBefore(Instant time, Duration after) implements Retry {}

    /** A guess: what it waits for may come sooner (a release, a settlement) or later. */
    record Estimate(Instant time, Duration after) implements Retry {}

    /** No waiting helps: the cost is above the limit's capacity, or a list rules. */
    record Never() implements Retry {}

    /** How long to wait from the decision on; null for {@link Never}. */
    default @Nullable Duration waitFor() {
        if (this instanceof NotBefore notBefore) {
            return notBefore.after;
        }
        return this instanceof Estimate estimate ? estimate.after : null;
    }

    /** The later of two; of two at one time the certain one. */
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
