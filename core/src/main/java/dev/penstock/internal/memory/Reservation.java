package dev.penstock.internal.memory;

import dev.penstock.Clock;

/**
 * Charges that are held in this process while the rest of their request is decided elsewhere. If nobody ends it, what it
 * holds expires in the accounts like any other hold. Ending it a second time changes nothing. Thread-safe.
 */
public final class Reservation {
    private final HeldPermit permit;
    private final Clock clock;

    Reservation(HeldPermit permit, Clock clock) {
        this.permit = permit;
        this.clock = clock;
    }

    /** Ends it. If it is spent, its slots stay held. */
    public ReservationOutcome conclude(ReservationOutcome.How how) {
        return permit.conclude(how, clock);
    }

    /** Spends all that is held, and frees the slots. */
    public void spendAll() {
        permit.settle(null, clock);
    }
}
