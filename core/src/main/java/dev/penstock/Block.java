package dev.penstock;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * What denials by a limit bring upon its key: after so many it is blocked for a while, whatever is left of the limit.
 *
 * <p>Denials are counted in windows: each begins with a denial that is in none yet, and has those that come sooner than
 * {@code within} after it. The key is blocked from the moment of the last of them. What is denied because of the block is
 * not counted, and does not prolong it.
 *
 * @param denials how many bring it about
 * @param within how far apart the first and the last of them may be; of no meaning where one is enough
 * @param lasting how long the key is blocked
 */
public record Block(long denials, Duration within, Duration lasting) {
    private static final Duration ONE_DENIAL = Duration.ofSeconds(1);

    public Block {
        Expect.between(denials, 1, Costs.MAX, "denials");
        Expect.micros(within, Algorithm.LONGEST, "within");
        Expect.micros(lasting, Algorithm.LONGEST, "lasting");
    }

    /** After the first denial. */
    public static Block lasting(Duration time) {
        return new Block(1, ONE_DENIAL, time);
    }

    /** What counts the denials of a limit; it has the limit's id, so that reports name the limit whose key is blocked. */
    Limit of(Limit limit) {
        return Limit.of(new Lockout(denials, within, lasting, limit.rule().shape()))
                .id(limit.id());
    }
}
