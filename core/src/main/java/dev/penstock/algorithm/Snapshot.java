package dev.penstock.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * A copy of an account's state, taken when a request was decided: first what the decision is worked out on, afterwards
 * what its figures are computed from when someone asks for them.
 *
 * <p>Until it is frozen it shares the account's {@link EntriesAndHolds} and may be used only under the account's lock. Once it is
 * frozen, it never changes. Only frozen snapshots may go into a decision's {@link dev.penstock.spi.Evidence}: take
 * {@link #frozenRefusal} for a charge that did not fit, and {@link #frozenCopy} (after the charge, if it is made) for one that
 * did.
 */
public final class Snapshot extends State {
    /** What is kept of the account's extra state. */
    private record Kept(long held, long earliestExpiryMicros, long fitsAtMicros) {}

    /** What was asked of the account, together with what is {@link #ahead}. */
    final long cost;

    /** What the same request had asked of the account before. */
    final long ahead;

    private @Nullable Kept kept;

    /**
     * A copy of an account, or of the snapshot that an earlier charge of the same request worked on.
     *
     * @param cost the cost of the charge
     * @param ahead the cost of the same request's charges before this one on the same account
     */
    public Snapshot(State from, long cost, long ahead) {
        super(from.rule);
        this.cost = cost + ahead;
        this.ahead = ahead;
        copyFrom(from);
    }

    /** Three numbers, and nothing held. */
    public Snapshot(Rule rule, long first, long second, long third, long cost) {
        super(rule, first, second, third);
        this.cost = cost;
        this.ahead = 0;
    }

    /**
     * What a store saw that keeps state and does arithmetic of its own.
     *
     * @param cost what was asked of the account, without what is ahead
     * @param earliestExpiryMicros when the first hold expires; {@link Long#MAX_VALUE} where nothing is held
     * @param fitsAtMicros when the cost fits, where only the account's entries tell
     */
    public Snapshot(
            Rule rule,
            long first,
            long second,
            long third,
            long cost,
            long ahead,
            long held,
            long earliestExpiryMicros,
            long fitsAtMicros) {
        super(rule, first, second, third);
        this.cost = cost + ahead;
        this.ahead = ahead;
        this.kept = new Kept(held, earliestExpiryMicros, fitsAtMicros);
    }

    /** A copy to work on, for no cost in particular. */
    public Snapshot(State from) {
        this(from, 0, 0);
    }

    @Override
    public long held() {
        return kept == null ? super.held() : kept.held;
    }

    /** When the first hold expires, for estimates; {@link Long#MAX_VALUE} where nothing is held. */
    long earliestExpiryMicros() {
        return kept == null ? Long.MAX_VALUE : kept.earliestExpiryMicros;
    }

    /** What was asked of the account, together with what the same request had asked of it before. */
    public long cost() {
        return cost;
    }

    /** Whether no permit holds anything in the account, not even an amount that weighs nothing. */
    public boolean hasNoHolds() {
        return held() == 0
                && earliestExpiryMicros() == Long.MAX_VALUE
                && (extra == null || extra.holds().isEmpty());
    }

    /** When the cost fits, where only the account's entries tell. */
    public long fitsAtMicros() {
        return kept == null ? 0 : kept.fitsAtMicros;
    }

    /** Lets go of what is shared with the account, keeping what the figures of a request that fitted depend on. */
    public void freeze(Rule under) {
        if (extra != null) {
            under.keep(this);
            kept = new Kept(extra.holds().total(), Long.MAX_VALUE, 0);
            extra = null;
        }
    }

    /** A frozen copy: what this snapshot says now of a request that fitted. */
    public Snapshot frozenCopy(Rule under) {
        Snapshot copy = new Snapshot(this, cost - ahead, ahead);
        copy.freeze(under);
        return copy;
    }

    /** A frozen copy: what this snapshot says now of a request that was refused, its wait included. */
    public Snapshot frozenRefusal(Rule under) {
        Snapshot copy = new Snapshot(this, cost - ahead, ahead);
        if (extra != null) {
            Kept waits = new Kept(held(), extra.holds().earliestMicros(), under.fitsAtMicros(this));
            copy.freeze(under);
            copy.kept = waits;
        }
        return copy;
    }
}
