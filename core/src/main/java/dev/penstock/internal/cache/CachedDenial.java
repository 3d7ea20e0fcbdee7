package dev.penstock.internal.cache;

import dev.penstock.Limit;
import dev.penstock.Policy.Consistency;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.Rule;
import dev.penstock.algorithm.Snapshot;
import dev.penstock.algorithm.State;
import dev.penstock.internal.AccountName;
import dev.penstock.spi.Charge;

/**
 * The state of an account when the store denied a charge, and the denials that this state proves later. Immutable.
 *
 * <p>Time only reduces what was spent, and other callers only add to it. So if a cost does not fit the state, advanced
 * to a time that the store's clock cannot have passed, the store would certainly deny it. That time is the store's time
 * of the denial, plus the time that has passed here since the ask was sent, plus a thousandth of it because no two
 * clocks run at the same pace. If faster asks show that the store's clock cannot have been that far ahead, a later time
 * than that of sending is used.
 */
public final class CachedDenial {
    /** Maximum age of a denial. It bounds the effect of a clock that jumps or a store that loses its state. */
    static final long LONGEST_MICROS = 5_000_000;

    private static final long PACE = 999;

    final AccountName account;

    /** The account's fingerprint, which is the same on all nodes. */
    final long fingerprint;

    private final Limit limit;
    private final Snapshot seen;
    final long storeMicros;
    final long sinceMicros;

    /**
     * Creates a denial.
     *
     * @param seen the account, frozen, at the store's time {@code storeMicros}
     * @param sinceMicros a time by this process's clock at which the store's clock cannot have passed {@code
     *     storeMicros}: when the ask was sent, or later
     */
    public CachedDenial(AccountName account, Limit limit, Snapshot seen, long storeMicros, long sinceMicros) {
        this.account = account;
        this.fingerprint = account.fingerprint();
        this.limit = limit;
        this.seen = seen;
        this.storeMicros = storeMicros;
        this.sinceMicros = sinceMicros;
    }

    /** Returns whether a charge can be denied without the store. A charge of cost 0 can be denied only by a block. */
    static boolean isPossibleFor(Charge charge) {
        return (charge.cost() > 0 || charge.limit().algorithm() instanceof Lockout)
                && charge.isEnforced()
                && charge.settings().consistency() == Consistency.STRICT
                && !(charge.limit().algorithm() instanceof Concurrency);
    }

    /**
     * Returns whether a denial proves later denials. Nothing may be held, because a hold may be given back. For a
     * sliding log, whose entries are not in the snapshot, one permit less must have fit. Then nothing but time can make
     * the cost fit.
     */
    public static boolean isLasting(Charge charge, Snapshot seen, long storeMicros) {
        Rule rule = charge.limit().rule();
        return isPossibleFor(charge)
                && seen.hasNoHolds()
                && (rule.isPlain() || rule.remaining(seen, storeMicros) == seen.cost() - 1);
    }

    /**
     * Returns whether the snapshot proves a denial: of the charge itself, or, if it is a strike, of all looks that
     * follow it.
     */
    public static boolean isDenial(Charge charge, Snapshot seen, boolean exceeded, long storeMicros) {
        return exceeded
                || (charge.limit().algorithm() instanceof Lockout
                        && !charge.limit().rule().fits(seen, 0, storeMicros));
    }

    boolean isUnder(Limit other) {
        return limit.rule() == other.rule() || limit.equals(other);
    }

    /** Returns whether the denial is recent enough. A denial from the future is not, because the clock was set back. */
    boolean isFresh(long nowMicros) {
        long age = nowMicros - sinceMicros;
        return age >= 0 && age <= LONGEST_MICROS;
    }

    /** Returns the store's time, or a little more, at this time of the local clock. */
    long storeMicros(long nowMicros) {
        return storeMicros + (nowMicros - sinceMicros);
    }

    /** Returns the maximum by which one clock can run ahead of another in this time. */
    static long drift(long micros) {
        return micros / PACE + (micros % PACE == 0 ? 0 : 1);
    }

    /**
     * Returns whether the cost would certainly be denied.
     *
     * @param ahead the cost of the same request's earlier charges to the account
     */
    boolean proves(long cost, long ahead, long maxDelayMicros, long nowMicros) {
        long age = nowMicros - sinceMicros;
        long latest = storeMicros + age + drift(age);
        long wanted = cost + ahead;
        if (!limit.rule().isPlain()) {
            return wanted == seen.cost() && seen.fitsAtMicros() > latest;
        }
        State state = stateAt(latest);
        return wanted > limit.capacity()
                || !limit.rule().fits(state, wanted, latest)
                || (limit.rule().delayMicros(state, ahead, latest) > maxDelayMicros && isTurnFixed(state, latest));
    }

    /**
     * Returns whether time only brings the next turn nearer. In an idle queue, turns are counted from now, in whole
     * ticks.
     */
    private boolean isTurnFixed(State state, long micros) {
        return limit.rule().idleAtMicros(state, micros) > micros;
    }

    /** Returns the account at a time of the store, for the status that a denial reports. */
    Snapshot at(long micros, long cost, long ahead) {
        return limit.rule().isPlain() ? new Snapshot(stateAt(micros), cost, ahead) : seen;
    }

    private State stateAt(long micros) {
        State state = new State(seen.rule, seen.first, seen.second, seen.third);
        limit.rule().advance(state, micros);
        return state;
    }
}
