package dev.penstock.internal.algorithm;

/**
 * A copy of an account's state, taken when a request was decided: first what the decision is worked out on, afterwards
 * what its figures are computed from when someone asks for them.
 */
public final class Snapshot extends State {
    /** What was asked of the account, together with what is {@link #ahead}. */
    final long cost;

    /** What the same request had asked of the account before. */
    final long ahead;

    private long held;
    private boolean frozen;

    /** When the first hold expires, for estimates; known only where the request was refused. */
    long earliestExpiryMicros = Long.MAX_VALUE;

    /** When the refused cost fits, where only the account's entries tell. */
    long fitsAtMicros;

    public Snapshot(State from, long cost, long ahead) {
        super(from.rule);
        this.cost = cost + ahead;
        this.ahead = ahead;
        copyFrom(from);
    }

    /** A copy to work on, for no cost in particular. */
    public Snapshot(State from) {
        this(from, 0, 0);
    }

    @Override
    public long held() {
        return frozen ? held : super.held();
    }

    /** Keeps what only the account knows and the wait is computed from; before {@link #freeze}. */
    public void keepWaits(Rule under) {
        if (extra != null) {
            earliestExpiryMicros = extra.holds().earliestMicros();
            under.keepWaits(this);
        }
    }

    /** A frozen copy: what this snapshot says now. */
    public Snapshot frozenCopy(Rule under) {
        Snapshot copy = new Snapshot(this, cost - ahead, ahead);
        copy.earliestExpiryMicros = earliestExpiryMicros;
        copy.fitsAtMicros = fitsAtMicros;
        copy.freeze(under);
        return copy;
    }

    /** Lets go of what is shared with the account; from here on nothing changes. */
    public void freeze(Rule under) {
        if (extra != null) {
            under.keep(this);
            held = extra.holds().total();
            extra = null;
        }
        frozen = true;
    }
}
