package dev.penstock.internal.algorithm;

/** The part of an account's state that has no fixed size: the entries of a log, and what is held. */
public final class Extra {
    private final EntryLog log;
    private final Holds holds;

    public Extra() {
        this(new EntryLog(), new Holds());
    }

    private Extra(EntryLog log, Holds holds) {
        this.log = log;
        this.holds = holds;
    }

    /** These entries beside what the other holds. */
    Extra withHoldsOf(Extra other) {
        return new Extra(log, other.holds);
    }

    public EntryLog log() {
        return log;
    }

    public Holds holds() {
        return holds;
    }
}
