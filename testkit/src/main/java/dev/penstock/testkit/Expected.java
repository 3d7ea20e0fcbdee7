package dev.penstock.testkit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The decision that the reference expects, in its own terms.
 *
 * @param delayMicros how long an allowed request must wait for its turn
 * @param charges the expected result of each charge, in the order of the ask
 * @param permit the permit that was issued; null if there is none
 */
public record Expected(
        boolean allowed,
        long delayMicros,
        List<OfCharge> charges,
        @Nullable Permit permit) {
    /**
     * The expected result of one charge.
     *
     * @param retry null if the charge fit
     */
    public record OfCharge(
            boolean exceeded,
            long remaining,
            long resetMicros,
            @Nullable Wait retry) {}

    /** When to try again: a kind, and the number of microseconds from now; 0 for never. */
    public record Wait(Kind kind, long micros) {
        static final Wait NEVER = new Wait(Kind.NEVER, 0);
    }

    /** How certain a wait is. */
    public enum Kind {
        NOT_BEFORE,
        ESTIMATE,
        NEVER
    }

    /** A permit: the number that the reference gave it, and when it expires. */
    public record Permit(int handle, long expiresAtMicros) {}
}
