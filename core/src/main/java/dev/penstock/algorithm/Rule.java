package dev.penstock.algorithm;

import dev.penstock.Hold;
import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of one limit: decides whether a cost fits a state, and computes the new state. Immutable and
 * thread-safe.
 *
 * <p>Calls are made in this order, all with the same time: {@link #expireHolds} on the account, then on a copy {@link
 * #advance}, {@link #fits}, and {@link #charge} or {@link #hold}. If {@code advance} returns true, it repaired the
 * state, for example after the clock was set back. Store the advanced copy then, even if the request is denied or only
 * peeks. If it returns false, a denial stores nothing.
 *
 * <p>Several charges of one request to one account are computed one after the other: {@link #fits} gets the sum of
 * their costs so far, and {@link #delayMicros} the sum without the last one. {@link dev.penstock.spi.Engine} describes
 * the whole procedure.
 *
 * <p>All times are the store's, in microseconds. Each rule counts them in its own tick, rounded down.
 */
public abstract class Rule {
    /** Every sum and product of a decision stays below this, so that doubles can represent it exactly. */
    static final long EXACT = 1L << 53;

    static final long MINUTE_MICROS = 60_000_000;

    /** Returned by {@link #waitMicros} if waiting does not help. */
    public static final long NEVER = Long.MAX_VALUE;

    final long tickMicros;
    final long capacity;
    final long maxDebt;
    private final String shape;

    Rule(long tickMicros, long capacity, long maxDebt, String shape) {
        this.tickMicros = tickMicros;
        this.capacity = capacity;
        this.maxDebt = maxDebt;
        this.shape = shape;
    }

    /**
     * Returns the arithmetic of an algorithm.
     *
     * @param algorithm the algorithm with its numbers
     * @param maxDebt how far a settlement may take an account below zero
     */
    public static Rule of(Algorithm algorithm, long maxDebt) {
        if (algorithm instanceof TokenBucket bucket) {
            return TokenBucketRule.of(bucket, maxDebt);
        } else if (algorithm instanceof LeakyBucket bucket) {
            return LeakyBucketRule.of(bucket, maxDebt);
        } else if (algorithm instanceof FixedWindow window) {
            return new FixedWindowRule(
                    window.permits(), maxDebt, new WindowBoundaries.Even(window.window()), window.span());
        } else if (algorithm instanceof CalendarWindow window) {
            WindowBoundaries grid = new CalendarBoundaries(window.period(), window.zone());
            return new FixedWindowRule(window.permits(), maxDebt, grid, window.span());
        } else if (algorithm instanceof SlidingWindow window) {
            return SlidingWindowRule.of(window, maxDebt);
        } else if (algorithm instanceof SlidingLog log) {
            return new SlidingLogRule(log, maxDebt);
        } else if (algorithm instanceof Concurrency slots) {
            return new ConcurrencyRule(slots);
        } else if (algorithm instanceof Lockout lockout) {
            return new LockoutRule(lockout);
        }
        throw new AssertionError(algorithm);
    }

    /** Returns the length of a tick. */
    public final long tickMicros() {
        return tickMicros;
    }

    /** Returns the maximum that can be used at once. */
    public final long capacity() {
        return capacity;
    }

    /**
     * Returns a name for the states that this rule can continue. Rules of one shape share an account, even if their
     * numbers differ. A rule with another algorithm or window length starts fresh.
     */
    public final String shape() {
        return shape;
    }

    /** Settles expired holds, each at its own time, by the numbers of the rule that wrote the state. */
    public static void expireHolds(State state, long nowMicros) {
        if (state.extra == null) {
            return;
        }
        for (HeldCharge expired : state.extra.holds().takeExpired(nowMicros)) {
            if (expired.onExpiry == Hold.Expiry.KEEP_CHARGED) {
                state.rule.force(state, expired.weight, expired.expiryMicros);
            }
        }
    }

    /**
     * Advances the state to now: converts it to this rule's numbers, and repairs the effect of a clock that was set
     * back. Returns whether the state must be stored even if nothing is charged.
     */
    public final boolean advance(State state, long nowMicros) {
        boolean mustStore = state.rule != this && adopt(state, nowMicros);
        mustStore |= roll(state, nowMicros);
        return mustStore;
    }

    /**
     * Returns whether the cost fits in addition to everything spent and held. The cost must be at most the {@link
     * #capacity}.
     */
    public abstract boolean fits(State state, long cost, long nowMicros);

    /** Spends a cost that fits. Slots are never spent, only held. */
    public abstract void charge(State state, long cost, long nowMicros);

    /**
     * Spends a cost even if it does not fit, up to the maximum debt. Used to settle permits. Returns the amount that was
     * spent, in whole permits, rounded down.
     */
    abstract long force(State state, long cost, long atMicros);

    /** Holds a cost above 0 that fits, until it is settled or expires. */
    public void hold(State state, HeldCharge charge, long nowMicros) {
        state.extra().holds().add(charge);
    }

    /** Returns whether a permit can hold a cost. If not, the cost is spent at once. */
    public boolean canBeHeld() {
        return true;
    }

    /** Returns whether a held cost counts as spent from the start. */
    public boolean spendsWhatIsHeld() {
        return false;
    }

    /** Returns whether the hold still exists. Call after {@link #expireHolds}. */
    public static boolean isHeld(State state, HeldCharge charge) {
        return state.extra != null && state.extra.holds().contains(charge);
    }

    /**
     * Replaces a hold that still exists with the actual cost. The account must have been advanced under this rule.
     * Returns the amount that was charged, which is less than the actual cost if the maximum debt was reached.
     */
    public long settle(State state, HeldCharge charge, long actual, long nowMicros) {
        state.extra().holds().remove(charge);
        return force(state, actual, nowMicros);
    }

    /**
     * Spends the actual cost of a permit whose charge was {@linkplain HeldCharge#isFree free}, even if it does not fit.
     * Returns the amount that was charged.
     */
    public final long settleUnheld(State state, long actual, long nowMicros) {
        return force(state, actual, nowMicros);
    }

    /**
     * Extends a hold that still exists so that its full time starts now. The account must have been advanced under the
     * permit's rule.
     */
    public static void renew(State state, HeldCharge charge, long nowMicros) {
        state.extra().holds().renew(charge, nowMicros);
    }

    /**
     * Returns how long a request whose cost fits must wait for its turn. Call before the cost is charged.
     *
     * @param state the advanced state
     * @param ahead the cost of the same request's earlier charges to the same account
     * @param nowMicros the time of the decision
     */
    public long delayMicros(State state, long ahead, long nowMicros) {
        return 0;
    }

    /** Returns how much can still be used at once. */
    public abstract long remaining(State state, long nowMicros);

    /** Returns how much could be used at once if nothing were held. */
    public final long leftBesideHolds(State state, long nowMicros) {
        return Math.min(capacity, remaining(state, nowMicros) + state.held());
    }

    /**
     * Returns how long until everything spent so far has come back. Holds are ignored, because nobody knows when they
     * will be settled.
     */
    public abstract long resetMicros(State state, long nowMicros);

    /**
     * Returns how long until everything spent and held so far has come back, at the latest. It assumes that each hold is
     * charged when it expires. It is later only if a hold is renewed, or settled at more than it holds.
     */
    public final long allBackMicros(Snapshot seen, long nowMicros) {
        long lastExpiryMicros = Math.max(seen.latestExpiryMicros(), nowMicros);
        return seen.held() == 0 || seen.latestExpiryMicros() == Snapshot.UNKNOWN
                ? resetMicros(seen, nowMicros)
                : lastExpiryMicros - nowMicros + resetFromMicros(seen, lastExpiryMicros);
    }

    /** Returns how long after the last hold expires everything is back, if all holds are charged then. */
    abstract long resetFromMicros(Snapshot seen, long lastExpiryMicros);

    /**
     * Returns how long until the limit resets, as header fields report it: at the end of the window for a window, even
     * if nothing was spent in it, and after {@link #allBackMicros} for all others.
     */
    public long periodEndMicros(Snapshot seen, long nowMicros) {
        return allBackMicros(seen, nowMicros);
    }

    /**
     * Returns how long until a denied cost fits if nobody else uses the limit, or {@link #NEVER} for a cost above the
     * capacity.
     */
    public final long waitMicros(Snapshot refused, long nowMicros, long maxDelayMicros) {
        if (refused.cost > capacity) {
            return NEVER;
        }
        return waitUntilFits(refused, nowMicros, maxDelayMicros);
    }

    abstract long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros);

    /**
     * Returns whether the wait is exact. It is not if something is held, because a settlement could change the wait.
     */
    public boolean waitIsExact(State refused) {
        return refused.held() == 0;
    }

    /**
     * Returns when the state will be equivalent to a fresh one if it is left alone from now on. Holds are ignored.
     * After that time the state can be forgotten.
     */
    public abstract long idleAtMicros(State state, long nowMicros);

    /** Returns when an account that is created now for a first charge will be idle. */
    public long idleAfterMicros(long cost, long nowMicros) {
        State fresh = new State(this);
        advance(fresh, nowMicros);
        charge(fresh, Math.min(cost, capacity), nowMicros);
        return idleAtMicros(fresh, nowMicros);
    }

    /**
     * Returns the smallest cost for which a store keeps a fresh account for more than a minute after the charge, or
     * {@link #NEVER} if no cost does. It depends only on the limit's numbers.
     */
    public abstract long longLivedFrom();

    /** Returns {@link #longLivedFrom} for a rule whose accounts are kept for the same time, whatever the cost. */
    static long longLivedIf(long keptMicros) {
        return keptMicros > MINUTE_MICROS ? 1 : NEVER;
    }

    /** Returns whether the three numbers are the complete state if nothing is held. */
    public boolean isPlain() {
        return true;
    }

    /**
     * Converts a state written under other numbers. The amount used stays used. Returns whether the state must be
     * stored.
     */
    boolean adopt(State state, long nowMicros) {
        state.rule = this;
        return false;
    }

    /** Moves the state to now. Returns true if the clock had been set back and the state was repaired. */
    abstract boolean roll(State state, long nowMicros);

    /** Copies the parts of the account's extra state that the snapshot's numbers depend on into the snapshot. */
    void keep(Snapshot snapshot) {}

    /** Returns when a denied cost fits, for rules that derive it from the account's entries; otherwise 0. */
    long fitsAtMicros(Snapshot refused) {
        return 0;
    }

    /**
     * Returns this rule as text, for a store that does the arithmetic itself: kind, tick, capacity, debt, and what the
     * kind needs. Calendar windows are listed from {@code fromMicros} to {@code toMicros} and a little further.
     */
    public final String words(long fromMicros, long toMicros) {
        return kind() + " " + tickMicros + " " + capacity + " " + maxDebt + " " + ownWords(fromMicros, toMicros);
    }

    /**
     * Returns the numbers of a simple rule, for which stores have a fast path, or null for all other rules. The numbers
     * are: the kind (0 token bucket, 1 window of one length, 2 sliding window), tick, capacity, debt, and either n, p
     * and the ceiling of a bucket or the length of a window.
     */
    public long @Nullable [] scriptNumbers() {
        return null;
    }

    /** Returns whether stores have a fast path for this rule. */
    public final boolean isSimple() {
        return scriptNumbers() != null;
    }

    abstract String kind();

    abstract String ownWords(long fromMicros, long toMicros);

    /** Returns a rule's text from an earlier time, possibly from another process, updated to a later time. */
    public static String wordsFor(String words, long fromMicros, long toMicros) {
        return FixedWindowRule.atOtherTimes(words, fromMicros, toMicros);
    }

    /** Returns the rule for a state that a store keeps under a ceiling other than this rule's. */
    public Rule under(long ceiling) {
        return this;
    }

    final long ticks(long micros) {
        return tickMicros == 1 ? micros : Math.floorDiv(micros, tickMicros); // the usual tick needs no division
    }

    /** Returns the wait until the tick that is this many ticks after the current one. */
    public final long waitMicros(long ticks, long nowMicros) {
        return (ticks(nowMicros) + ticks) * tickMicros - nowMicros;
    }

    static long ceilDiv(long dividend, long divisor) {
        return -Math.floorDiv(-dividend, divisor);
    }
}
