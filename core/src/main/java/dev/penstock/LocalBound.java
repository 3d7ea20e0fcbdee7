package dev.penstock;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * How long shares may stand in for a store that does not answer, and what follows.
 *
 * @param atMost counted from when the store was given up
 * @param then what local charges are worth after that, and those of limits that have no share: open or closed
 */
public record LocalBound(Duration atMost, FailureMode then) {
    public LocalBound {
        Expect.micros(atMost, Algorithm.LONGEST, "localAtMost");
        Expect.present(then, "then");
        Expect.that(then != FailureMode.LOCAL, "then", then, "OPEN or CLOSED");
    }
}
