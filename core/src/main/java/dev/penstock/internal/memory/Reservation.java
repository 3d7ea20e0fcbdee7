package dev.penstock.internal.memory;

import dev.penstock.Clock;

/**
 * Charges that are held in this process while the rest of their request is decided elsewhere. If nobody ends the
 * reservation, its holds expire like any other hold. Ending it a second time changes nothing. Thread-safe.
 */
public final class Reservation {
    private final HeldPermit permit;
    private final Clock clock;

    Reservation(HeldPermit permit, Clock clock) {
        this.permit = permit;
        this.clock = clock;
    }

    /** Ends the reservation. If it is spent, its slots stay held. */
    public ReservationOutcome conclude(ReservationOutcome.Ending how) {
        return permit.conclude(how, clock);
    }

    /** Spends everything that is held, and frees the slots. */
    public void spendAll() {
        permit.settle(null, clock);
    }
}
