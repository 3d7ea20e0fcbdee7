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
 * An account as the store saw it when it denied a charge, and what that proves later. Immutable.
 *
 * <p>Time only takes away from what was spent, and all that others do adds to it. So what does not fit the state as it was
 * seen, moved on to a time that the store's clock cannot have passed, is sure to be denied. That time is the store's
 * when it denied, and all that went by here since the ask was sent, or since a later time at which the store's clock had not
 * come that far, as faster asks showed; a thousandth more, since no two clocks run at one pace.
 */
public final class CachedDenial {
    /** How long a denial is believed at most: that bounds what a clock that jumps or a store that forgets can do. */
    static final long LONGEST_MICROS = 5_000_000;

    private static final long PACE = 999;

    final AccountName account;

    /** By which other nodes name the account. */
    final long fingerprint;

    private final Limit limit;
    private final Snapshot seen;
    final long storeMicros;
    final long sinceMicros;

    /**
     * @param seen the account, frozen, at the store's time {@code storeMicros}
     * @param sinceMicros a time by the clock here at which the store's cannot have passed that: when the ask was sent, or later
     */
    public CachedDenial(AccountName account, Limit limit, Snapshot seen, long storeMicros, long sinceMicros) {
        this.account = account;
        this.fingerprint = account.fingerprint();
        this.limit = limit;
        this.seen = seen;
        this.storeMicros = storeMicros;
        this.sinceMicros = sinceMicros;
    }

    /** Whether a charge can be denied without the store at all; one of nothing only where it asks for a block. */
    static boolean isPossibleFor(Charge charge) {
        return (charge.cost() > 0 || charge.limit().algorithm() instanceof Lockout)
                && charge.isEnforced()
                && charge.settings().consistency() == Consistency.STRICT
                && !(charge.limit().algorithm() instanceof Concurrency);
    }

    /**
     * Whether a denial proves something later. What is held may be given back, so nothing may be held. A log's entries
     * are not in the snapshot, so nothing but time until the cost fits may be able to change its figures: one permit less
     * would have fitted.
     */
    public static boolean isLasting(Charge charge, Snapshot seen, long storeMicros) {
        Rule rule = charge.limit().rule();
        return isPossibleFor(charge)
                && seen.hasNoHolds()
                && (rule.isPlain() || rule.remaining(seen, storeMicros) == seen.cost() - 1);
    }

    /** Whether what was seen denies: the charge itself, or as a strike all looks that follow it. */
    public static boolean isDenial(Charge charge, Snapshot seen, boolean exceeded, long storeMicros) {
        return exceeded
                || (charge.limit().algorithm() instanceof Lockout
                        && !charge.limit().rule().fits(seen, 0, storeMicros));
    }

    boolean isUnder(Limit other) {
        return limit.rule() == other.rule() || limit.equals(other);
    }

    /** Whether it is young enough; one from the future is not, since the clock went back. */
    boolean isFresh(long nowMicros) {
        long age = nowMicros - sinceMicros;
        return age >= 0 && age <= LONGEST_MICROS;
    }

    /** The store's time, or a little more, while it is this here. */
    long storeMicros(long nowMicros) {
        return storeMicros + (nowMicros - sinceMicros);
    }

    /** How much more one clock can go on by than another, at most, while that goes on by so much. */
    static long drift(long micros) {
        return micros / PACE + (micros % PACE == 0 ? 0 : 1);
    }

    /** Whether a cost, behind what the same request asks of the account before, is sure to be denied. */
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

    /** Whether time only brings a turn nearer. In a queue that is idle turns are counted from now, in whole ticks. */
    private boolean isTurnFixed(State state, long micros) {
        return limit.rule().idleAtMicros(state, micros) > micros;
    }

    /** The account at a time of the store, for the figures of a denial. */
    Snapshot at(long micros, long cost, long ahead) {
        return limit.rule().isPlain() ? new Snapshot(stateAt(micros), cost, ahead) : seen;
    }

    private State stateAt(long micros) {
        State state = new State(seen.rule, seen.first, seen.second, seen.third);
        limit.rule().advance(state, micros);
        return state;
    }
}
