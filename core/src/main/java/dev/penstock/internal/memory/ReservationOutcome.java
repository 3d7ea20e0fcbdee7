package dev.penstock.internal.memory;

import dev.penstock.algorithm.Snapshot;
import java.util.List;

/**
 * The result of ending a reservation after the rest of its request was decided elsewhere. Immutable.
 *
 * @param seen the states of the accounts after that
 * @param holdsSlots whether the permit lives on because it holds slots
 */
public record ReservationOutcome(List<AccountState> seen, boolean holdsSlots) {
    /** The way a reservation ends. */
    public enum Ending {
        /** The reserved cost is spent. */
        SPENT,
        /** The reserved cost is given back, and slots are freed. */
        GIVEN_BACK
    }

    /**
     * The state of one account afterwards.
     *
     * @param index the charge's index in the ask
     */
    public record AccountState(int index, Snapshot after, long atMicros) {}

    /** The result if there was nothing to end. */
    public static final ReservationOutcome NOTHING = new ReservationOutcome(List.of(), false);
}
