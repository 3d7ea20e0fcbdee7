package dev.penstock;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * The terms of a reservation: how long to hold the cost of an allowed request, and what happens afterward. Immutable.
 *
 * @param ttl how long the permit lives unless it is settled, released or renewed; in whole milliseconds
 * @param onExpiry what happens to the cost if the permit expires
 */
@CheckReturnValue
public record Hold(Duration ttl, Expiry onExpiry) {
    /** The effect on a reserved cost when its permit expires. Slots are always freed. */
    public enum Expiry {
        /** The cost is charged as of the moment of expiry. */
        KEEP_CHARGED,
        /** The cost is given back. */
        GIVE_BACK
    }

    public Hold {
        Expect.millis(ttl, Algorithm.LONGEST, "ttl");
        Expect.present(onExpiry, "onExpiry");
    }

    /** Returns a hold whose cost is charged if the permit expires. */
    public static Hold of(Duration ttl) {
        return new Hold(ttl, Expiry.KEEP_CHARGED);
    }

    /** Returns this hold with another effect on expiry. */
    public Hold onExpiry(Expiry other) {
        return new Hold(ttl, other);
    }
}
