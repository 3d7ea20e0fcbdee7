package dev.penstock.testkit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the reference expects of one decision, in its own terms.
 *
 * @param delayMicros how long an allowed request must wait for its turn
 * @param charges one for each charge of the ask, in its order
 * @param permit the permit that was issued; null where none is
 */
public record Expected(
        boolean allowed,
        long delayMicros,
        List<OfCharge> charges,
        @Nullable Permit permit) {
    /**
     * What is expected of one charge.
     *
     * @param retry null where the charge fitted
     */
    public record OfCharge(
            boolean exceeded,
            long remaining,
            long resetMicros,
            @Nullable Wait retry) {}

    /** When to try again: a kind, and how many microseconds from now on; 0 for never. */
    public record Wait(Kind kind, long micros) {
        static final Wait NEVER = new Wait(Kind.NEVER, 0);
    }

    /** How sure a wait is. */
    public enum Kind {
        NOT_BEFORE,
        ESTIMATE,
        NEVER
    }

    /** The reference's own number for a permit, and when it expires. */
    public record Permit(int handle, long expiresAtMicros) {}
}
