package dev.penstock.testkit;

/** The emphasis of a random trace. */
public enum TraceFlavor {
    /** One charge at a time, and time moves only forward. */
    PLAIN(1, 0, false, false),
    /** Several charges at a time, enforced and shadow, on shared accounts. */
    STACKED(6, 0, false, false),
    /** Permits: reserved, settled, renewed, left to expire. */
    HELD(3, 6, false, false),
    /** Limits whose numbers change while they count. */
    CHANGING(2, 2, true, false),
    /** A clock that is sometimes set back. */
    CLOCK(2, 2, false, true),
    /** All of the above at once. */
    EVERYTHING(6, 4, true, true);

    private final int mostCharges;
    private final int heldInTen;
    private final boolean changes;
    private final boolean goesBack;

    TraceFlavor(int mostCharges, int heldInTen, boolean changes, boolean goesBack) {
        this.mostCharges = mostCharges;
        this.heldInTen = heldInTen;
        this.changes = changes;
        this.goesBack = goesBack;
    }

    /** Returns the maximum number of charges per ask. */
    int mostCharges() {
        return mostCharges;
    }

    /** Returns how many of ten asks have a hold. */
    int heldInTen() {
        return heldInTen;
    }

    /** Returns true if limits change their numbers, so that several versions of a limit share an account. */
    boolean changes() {
        return changes;
    }

    /** Returns true if the clock is sometimes set back. */
    boolean goesBack() {
        return goesBack;
    }
}
