package dev.penstock.algorithm;

/** The variable-size part of an account's state: the entries of a log, and holds. Not thread-safe. */
public final class EntriesAndHolds {
    private final EntryLog log;
    private final Holds holds;

    /** Creates a state without entries or holds. */
    public EntriesAndHolds() {
        this(new EntryLog(), new Holds());
    }

    private EntriesAndHolds(EntryLog log, Holds holds) {
        this.log = log;
        this.holds = holds;
    }

    /** Returns these entries together with the other state's holds. */
    EntriesAndHolds withHoldsOf(EntriesAndHolds other) {
        return new EntriesAndHolds(log, other.holds);
    }

    /** Returns the entries of a sliding log. */
    public EntryLog log() {
        return log;
    }

    /** Returns the holds of permits. */
    public Holds holds() {
        return holds;
    }
}
