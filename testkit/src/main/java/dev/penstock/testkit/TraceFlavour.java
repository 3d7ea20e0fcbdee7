package dev.penstock.testkit;

/** What a random trace is mostly made of. */
public enum TraceFlavour {
    /** One charge at a time, time going on. */
    PLAIN(1, 0, false, false),
    /** Several charges at a time, enforced and observed, on accounts that meet. */
    STACKED(6, 0, false, false),
    /** Permits: reserved, settled, renewed, left to expire. */
    HELD(3, 6, false, false),
    /** Limits whose numbers change while they count. */
    CHANGING(2, 2, true, false),
    /** A clock that goes back. */
    CLOCK(2, 2, false, true),
    /** All of it at once. */
    EVERYTHING(6, 4, true, true);

    private final int mostCharges;
    private final int heldInTen;
    private final boolean changes;
    private final boolean goesBack;

    TraceFlavour(int mostCharges, int heldInTen, boolean changes, boolean goesBack) {
        this.mostCharges = mostCharges;
        this.heldInTen = heldInTen;
        this.changes = changes;
        this.goesBack = goesBack;
    }

    /** The most charges of one ask. */
    int mostCharges() {
        return mostCharges;
    }

    /** How many asks of ten wish to hold what they get. */
    int heldInTen() {
        return heldInTen;
    }

    /** Whether limits change their numbers, so that several versions of one limit meet in an account. */
    boolean changes() {
        return changes;
    }

    /** Whether the clock goes back at times. */
    boolean goesBack() {
        return goesBack;
    }
}
