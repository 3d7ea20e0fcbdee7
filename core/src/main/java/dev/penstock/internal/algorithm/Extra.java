package dev.penstock.internal.algorithm;

/** The part of an account's state that has no fixed size: the entries of a log, and what is held. */
public final class Extra {
    private final EntryLog log = new EntryLog();
    private final Holds holds = new Holds();

    public EntryLog log() {
        return log;
    }

    public Holds holds() {
        return holds;
    }
}
