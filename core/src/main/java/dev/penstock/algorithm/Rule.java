package dev.penstock.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * The arithmetic of one limit: decides whether a cost fits a state, and what the state is afterwards.
 *
 * <p>The order of calls, all with one time: {@link #expireHolds} on the account itself, then on a copy {@link #advance},
 * {@link #fits}, and {@link #charge} or {@link #hold}. If {@code advance} returns true, store
 * the advanced copy even if the request is denied or only peeks: it repaired the state, such as after the clock went back. If it
 * returns false, a denial stores nothing.
 *
 * <p>Several charges of one request to one account are worked out one after the other: {@link #fits} gets the sum of their costs
 * so far, and {@link #delayMicros} the sum without the last one. {@link dev.penstock.spi.Engine} has the whole procedure.
 *
 * <p>All times are the store's, in microseconds; each rule counts them in its own tick, rounded down.
 */
public abstract class Rule {
    /** Every sum and product of a decision stays below this, so that doubles can hold it. */
    static final long EXACT = 1L << 53;

    static final long MINUTE_MICROS = 60_000_000;

    /** The answer of {@link #waitMicros} when no waiting helps. */
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

    public final long tickMicros() {
        return tickMicros;
    }

    public final long capacity() {
        return capacity;
    }

    /**
     * Which state this rule can go on from: rules of one shape share an account, however their numbers differ; another
     * algorithm or another window starts anew.
     */
    public final String shape() {
        return shape;
    }

    /** Settles the holds that ran out, each at its own time, under the numbers that the state was written under. */
    public static void expireHolds(State state, long nowMicros) {
        if (state.extra == null) {
            return;
        }
        for (HeldCharge expired : state.extra.holds().takeExpired(nowMicros)) {
            if (expired.lapse == HeldCharge.Lapse.CHARGED) {
                state.rule.force(state, expired.weight, expired.expiryMicros);
            }
        }
    }

    /** Brings the state to now: takes it over to this rule's numbers, and repairs what a clock gone back left. */
    public final boolean advance(State state, long nowMicros) {
        boolean mustStore = state.rule != this && adopt(state, nowMicros);
        mustStore |= roll(state, nowMicros);
        return mustStore;
    }

    /** Whether the cost fits beside what was spent and what is held. The cost must be at most the {@link #capacity}. */
    public abstract boolean fits(State state, long cost, long nowMicros);

    /** Spends a cost that fits. Slots are never spent, only held. */
    public abstract void charge(State state, long cost, long nowMicros);

    /** Spends a cost whether it fits or not, up to the bound on debt: what a settlement does. */
    abstract void force(State state, long cost, long atMicros);

    /** Holds a cost above 0 that fits, until it is settled or expires. */
    public void hold(State state, HeldCharge charge, long nowMicros) {
        state.extra().holds().add(charge);
    }

    /** Whether a permit can hold a cost; else it is spent at once. */
    public boolean canBeHeld() {
        return true;
    }

    /** Whether a cost that is held counts as spent from the start. */
    public boolean spendsWhatIsHeld() {
        return false;
    }

    /** Whether the hold is still there; after {@link #expireHolds}. */
    public static boolean isHeld(State state, HeldCharge charge) {
        return state.extra != null && state.extra.holds().contains(charge);
    }

    /** Turns a hold that is still there into the actual cost, on an account that was advanced under this rule. */
    public void settle(State state, HeldCharge charge, long actual, long nowMicros) {
        state.extra().holds().remove(charge);
        force(state, actual, nowMicros);
    }

    /** Spends the actual cost of a permit whose charge was {@linkplain HeldCharge#isFree free}, whether it fits or not. */
    public final void settleUnheld(State state, long actual, long nowMicros) {
        force(state, actual, nowMicros);
    }

    /** Gives a hold that is still there its full term again, from now, on an account that was advanced under the permit's rule. */
    public static void renew(State state, HeldCharge charge, long nowMicros) {
        state.extra().holds().renew(charge, nowMicros);
    }

    /**
     * How long a request whose cost fits has to wait for its turn. To be called before the cost is charged.
     *
     * @param ahead the cost of the same request's charges before this one on the same account
     */
    public long delayMicros(State state, long ahead, long nowMicros) {
        return 0;
    }

    /** How much could still be had at once. */
    public abstract long remaining(State state, long nowMicros);

    /** How much could be had at once if nothing were held. */
    public final long leftBesideHolds(State state, long nowMicros) {
        return Math.min(capacity, remaining(state, nowMicros) + state.held());
    }

    /** How long until everything spent so far has come back. What is held is left out: nobody knows when it is settled. */
    public abstract long resetMicros(State state, long nowMicros);

    /** How long until a refused cost fits if nobody else comes; {@link #NEVER} for a cost above the capacity. */
    public final long waitMicros(Snapshot refused, long nowMicros, long maxDelayMicros) {
        if (refused.cost > capacity) {
            return NEVER;
        }
        return waitUntilFits(refused, nowMicros, maxDelayMicros);
    }

    abstract long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros);

    /** Whether the wait is exact: nothing is held whose settlement could change it. */
    public boolean waitIsExact(State refused) {
        return refused.held() == 0;
    }

    /** When the state, seen from now and left alone, is as good as fresh; holds apart. Then it can be forgotten. */
    public abstract long idleAtMicros(State state, long nowMicros);

    /** When an account will be idle that is made now for a first charge. */
    public long idleAfterMicros(long cost, long nowMicros) {
        State fresh = new State(this);
        advance(fresh, nowMicros);
        charge(fresh, Math.min(cost, capacity), nowMicros);
        return idleAtMicros(fresh, nowMicros);
    }

    /**
     * The smallest cost whose charge makes a store keep a fresh account for more than a minute; {@link #NEVER} if no cost
     * does. It depends on the limit's numbers alone, not on the moment.
     */
    public abstract long longLivedFrom();

    /** The same for a rule whose accounts are kept for one time whatever they are charged. */
    static long longLivedIf(long keptMicros) {
        return keptMicros > MINUTE_MICROS ? 1 : NEVER;
    }

    /** Whether the three numbers are all of a state that holds nothing. */
    public boolean isPlain() {
        return true;
    }

    /** Takes over a state written under other numbers; what was used stays used. Answers whether to store it. */
    boolean adopt(State state, long nowMicros) {
        state.rule = this;
        return false;
    }

    /** Moves the state on to now; answers true if the clock had gone back and the state was repaired. */
    abstract boolean roll(State state, long nowMicros);

    /** Writes into the snapshot what its figures depend on and only the account's extra state knows. */
    void keep(Snapshot snapshot) {}

    /** When a refused cost fits, where only the account's entries tell. */
    long fitsAtMicros(Snapshot refused) {
        return 0;
    }

    /**
     * This rule in words, for a store that does the arithmetic itself: the kind, the tick, the capacity, the debt, and
     * what the kind needs. Windows by the calendar are told from {@code fromMicros} to {@code toMicros} and a little more.
     */
    public final String words(long fromMicros, long toMicros) {
        return kind() + " " + tickMicros + " " + capacity + " " + maxDebt + " " + ownWords(fromMicros, toMicros);
    }

    /**
     * The numbers of a rule so simple that stores have a short way for it: its kind (0 token bucket, 1 window of one
     * length, 2 sliding window), tick, capacity, debt, and n, p and the ceiling of a bucket or a window's length; null of
     * all others.
     */
    public long @Nullable [] scriptNumbers() {
        return null;
    }

    /** Whether it is one of those rules. */
    public final boolean isSimple() {
        return scriptNumbers() != null;
    }

    abstract String kind();

    abstract String ownWords(long fromMicros, long toMicros);

    /** Words of an earlier time, which another process may have told, as they are at a later one. */
    public static String wordsFor(String words, long fromMicros, long toMicros) {
        return FixedWindowRule.atOtherTimes(words, fromMicros, toMicros);
    }

    /** The rule under which a state is kept that a store has under a ceiling of its own. */
    public Rule under(long ceiling) {
        return this;
    }

    final long ticks(long micros) {
        return tickMicros == 1 ? micros : Math.floorDiv(micros, tickMicros); // the usual tick spares the division
    }

    /** The wait until the tick that is so many ticks after the present one. */
    public final long waitMicros(long ticks, long nowMicros) {
        return (ticks(nowMicros) + ticks) * tickMicros - nowMicros;
    }

    static long ceilDiv(long dividend, long divisor) {
        return -Math.floorDiv(-dividend, divisor);
    }
}
