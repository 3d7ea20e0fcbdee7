package dev.penstock.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * A copy of an account's state at the time of a decision. The decision is computed on it, and its status is later
 * computed from it on demand.
 *
 * <p>Until it is frozen, it shares the account's {@link EntriesAndHolds} and may be used only under the account's lock.
 * A frozen snapshot never changes. Only frozen snapshots may go into a decision's {@link dev.penstock.spi.Evidence}.
 * For a charge that did not fit, use {@link #frozenRefusal}. For a charge that fit, use {@link #frozenCopy}, after the
 * charge if it is made.
 */
public final class Snapshot extends State {
    /** The time of the last expiry if nothing is held, or if an earlier version wrote the report. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    /** The parts of the account's extra state that a frozen snapshot keeps. */
    private record Kept(long held, long earliestExpiryMicros, long latestExpiryMicros, long fitsAtMicros) {
        static Kept of(EntriesAndHolds extra, long earliestExpiryMicros, long fitsAtMicros) {
            Holds holds = extra.holds();
            long latest = holds.isEmpty() ? UNKNOWN : holds.latestExpiryMicros();
            return new Kept(holds.total(), earliestExpiryMicros, latest, fitsAtMicros);
        }
    }

    /** The cost, including the part that is {@link #ahead}. */
    final long cost;

    /** The cost of the same request's earlier charges to the account. */
    final long ahead;

    private @Nullable Kept kept;

    /**
     * Creates a copy of an account, or of the snapshot that an earlier charge of the same request worked on.
     *
     * @param from the state
     * @param cost the cost of the charge
     * @param ahead the cost of the same request's earlier charges to the same account
     */
    public Snapshot(State from, long cost, long ahead) {
        super(from.rule);
        this.cost = cost + ahead;
        this.ahead = ahead;
        copyFrom(from);
    }

    /** Creates a snapshot of three numbers without holds. */
    public Snapshot(Rule rule, long first, long second, long third, long cost) {
        super(rule, first, second, third);
        this.cost = cost;
        this.ahead = 0;
    }

    /**
     * Creates a snapshot from the report of a store that keeps state and does the arithmetic itself.
     *
     * @param cost the cost of this charge alone
     * @param earliestExpiryMicros when the first hold expires; {@link Long#MAX_VALUE} if nothing is held
     * @param latestExpiryMicros when the last hold expires, or {@link #UNKNOWN}
     * @param fitsAtMicros when the cost fits, for rules that derive it from the account's entries
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
            long latestExpiryMicros,
            long fitsAtMicros) {
        super(rule, first, second, third);
        this.cost = cost + ahead;
        this.ahead = ahead;
        this.kept = new Kept(held, earliestExpiryMicros, latestExpiryMicros, fitsAtMicros);
    }

    /** Creates a copy to compute on, without a cost. */
    public Snapshot(State from) {
        this(from, 0, 0);
    }

    @Override
    public long held() {
        return kept == null ? super.held() : kept.held;
    }

    /** Returns when the first hold expires, for estimates; {@link Long#MAX_VALUE} if nothing is held. */
    long earliestExpiryMicros() {
        return kept == null ? Long.MAX_VALUE : kept.earliestExpiryMicros;
    }

    /** Returns when the last hold expires; {@link #UNKNOWN} if nothing is held. Valid only in a frozen snapshot. */
    long latestExpiryMicros() {
        return kept == null ? UNKNOWN : kept.latestExpiryMicros;
    }

    /** Returns the cost, including the cost of the same request's earlier charges to the account. */
    public long cost() {
        return cost;
    }

    /**
     * Returns whether no permit holds anything in the account. Holds of a leaky bucket count too, although their amount
     * is already spent.
     */
    public boolean hasNoHolds() {
        return held() == 0
                && earliestExpiryMicros() == Long.MAX_VALUE
                && (extra == null || extra.holds().isEmpty());
    }

    /** Returns when the cost fits, for rules that derive it from the account's entries; otherwise 0. */
    public long fitsAtMicros() {
        return kept == null ? 0 : kept.fitsAtMicros;
    }

    /** Detaches the snapshot from the account, keeping the values that the status of an allowed request depends on. */
    public void freeze(Rule under) {
        if (extra != null) {
            under.keep(this);
            kept = Kept.of(extra, Long.MAX_VALUE, 0);
            extra = null;
        }
    }

    /** Returns a frozen copy for a charge that fit. */
    public Snapshot frozenCopy(Rule under) {
        Snapshot copy = new Snapshot(this, cost - ahead, ahead);
        copy.freeze(under);
        return copy;
    }

    /** Returns a frozen copy for a charge that did not fit, including its wait. */
    public Snapshot frozenRefusal(Rule under) {
        Snapshot copy = new Snapshot(this, cost - ahead, ahead);
        if (extra != null) {
            Kept waits = Kept.of(extra, extra.holds().earliestMicros(), under.fitsAtMicros(this));
            copy.freeze(under);
            copy.kept = waits;
        }
        return copy;
    }
}
