package dev.penstock.algorithm;

/** The part of an account's state that has no fixed size: the entries of a log, and what is held. */
public final class EntriesAndHolds {
    private final EntryLog log;
    private final Holds holds;

    public EntriesAndHolds() {
        this(new EntryLog(), new Holds());
    }

    private EntriesAndHolds(EntryLog log, Holds holds) {
        this.log = log;
        this.holds = holds;
    }

    /** These entries beside what the other holds. */
    EntriesAndHolds withHoldsOf(EntriesAndHolds other) {
        return new EntriesAndHolds(log, other.holds);
    }

    public EntryLog log() {
        return log;
    }

    public Holds holds() {
        return holds;
    }
}
