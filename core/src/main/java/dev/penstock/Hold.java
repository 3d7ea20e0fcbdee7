package dev.penstock;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.internal.CheckReturnValue;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * The wish to hold what is allowed until it is settled: for how long, and what becomes of it after that.
 *
 * @param ttl how long the permit lives unless it is settled, released or renewed; in whole milliseconds
 */
@CheckReturnValue
public record Hold(Duration ttl, Expiry onExpiry) {
    /** What becomes of a reserved cost when its permit expires. Slots are always freed. */
    public enum Expiry {
        /** The cost is charged, as of the moment of expiry. */
        KEEP_CHARGED,
        /** The cost is given back. */
        GIVE_BACK
    }

    public Hold {
        Expect.millis(ttl, Algorithm.LONGEST, "ttl");
        Expect.present(onExpiry, "onExpiry");
    }

    /** A hold whose cost stays charged when nobody settles it. */
    public static Hold of(Duration ttl) {
        return new Hold(ttl, Expiry.KEEP_CHARGED);
    }

    public Hold onExpiry(Expiry other) {
        return new Hold(ttl, other);
    }
}
