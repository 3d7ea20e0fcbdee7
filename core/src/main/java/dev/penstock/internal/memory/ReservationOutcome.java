package dev.penstock.internal.memory;

import dev.penstock.algorithm.Snapshot;
import java.util.List;

/**
 * What became of a permit that was only to last until the rest of a request was decided elsewhere. Immutable.
 *
 * @param seen how the accounts stood afterwards
 * @param holdsSlots whether the permit lives on, because it holds slots
 */
public record ReservationOutcome(List<Seen> seen, boolean holdsSlots) {
    /** How it ends. */
    public enum How {
        /** What was reserved is spent now. */
        SPENT,
        /** What was reserved is given back, and slots are freed. */
        GIVEN_BACK
    }

    /**
     * How one account stood after it.
     *
     * @param index the charge's place in the ask
     */
    public record Seen(int index, Snapshot after, long atMicros) {}

    /** There was nothing to end. */
    public static final ReservationOutcome NOTHING = new ReservationOutcome(List.of(), false);
}
