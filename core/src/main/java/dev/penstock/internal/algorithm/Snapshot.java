package dev.penstock.internal.algorithm;

/**
 * A copy of an account's state, taken when a request was decided: first what the decision is worked out on, afterwards
 * what its figures are computed from when someone asks for them.
 */
public final class Snapshot extends State {
    /** What was asked of the account, together with what the same request had asked of it before. */
    final long cost;

    private long held;
    private boolean frozen;

    /** When the first hold expires, for estimates; known only where the request was refused. */
    long earliestExpiryMicros = Long.MAX_VALUE;

    /** When the refused cost fits, where only the account's entries tell. */
    long fitsAtMicros;

    public Snapshot(State from, long cost) {
        super(from.rule);
        this.cost = cost;
        copyFrom(from);
    }

    @Override
    public long held() {
        return frozen ? held : super.held();
    }

    public long cost() {
        return cost;
    }

    /** Keeps what only the account knows and the wait is computed from; before {@link #freeze}. */
    public void keepWaits(Rule under) {
        if (extra != null) {
            earliestExpiryMicros = extra.holds().earliestMicros();
            under.keepWaits(this);
        }
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
