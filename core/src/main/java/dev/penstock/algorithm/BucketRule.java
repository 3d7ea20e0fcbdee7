package dev.penstock.algorithm;

import dev.penstock.internal.Expect;
import java.math.BigInteger;
import java.time.Duration;

/**
 * The arithmetic shared by token bucket and leaky bucket: the generic cell rate algorithm with any rational rate.
 *
 * <p>The state is the theoretical arrival time, which is the moment at which the bucket is full again. It is a mixed
 * number: whole ticks ({@code fullAtTicks}) plus {@code rest / n} of a tick. With g = gcd(permits, period), n = permits
 * / g and p = period / g, one permit takes p/n ticks to come back. The backlog is the time from now to that moment,
 * counted in n-ths of a tick. It is a whole number, p per permit used. Nothing is ever rounded, so nothing drifts.
 *
 * <p>A backlog exceeds the ceiling, (capacity + debt) * p, only if the clock was set back, and is then cut to the
 * ceiling.
 */
abstract class BucketRule extends Rule {
    /** The maximum number of ticks (31 years of microseconds). Above it, a time could leave the exact range. */
    private static final long MOST_TICKS = 1_000_000_000_000_000L;

    /** The maximum number of microseconds (31,700 years). Above it, a time could leave the range of a long. */
    private static final long MOST_MICROS = 1_000_000_000_000_000_000L;

    private static final long[] TICKS_MICROS = {1, 1_000, 1_000_000};

    /** The rate in lowest terms, n permits in p ticks, and the ceiling to which backlogs are cut. */
    record Numbers(long tickMicros, long capacity, long maxDebt, long n, long p, long ceiling) {

        static Numbers of(String word, long permits, Duration period, long capacity, long maxDebt) {
            long periodMicros = Expect.micros(period, Algorithm.LONGEST, "period");
            for (long tickMicros : TICKS_MICROS) {
                if (periodMicros % tickMicros != 0) {
                    break;
                }
                long periodTicks = periodMicros / tickMicros;
                long g = gcd(permits, periodTicks);
                long n = permits / g;
                long p = periodTicks / g;
                BigInteger ceiling = big(capacity).add(big(maxDebt)).multiply(big(p));
                if (ceiling.compareTo(big(EXACT)) < 0
                        && ceiling.divide(big(n)).compareTo(big(mostTicks(tickMicros))) <= 0) {
                    return new Numbers(tickMicros, capacity, maxDebt, n, p, ceiling.longValueExact());
                }
            }
            throw new IllegalArgumentException(word + ": " + permits + " per " + period + " with capacity " + capacity
                    + " and maxDebt " + maxDebt + " (expected: numbers that are exact below 2^53: a smaller capacity or"
                    + " maxDebt, or a period with a larger common divisor with the permits)");
        }

        private Numbers stretchedTo(long backlog) {
            return new Numbers(tickMicros, capacity, maxDebt, n, p, backlog);
        }
    }

    final Numbers numbers;
    final long n;
    final long p;
    private final long tolerance;
    private final long ceiling;
    private final long ceilingTicks;
    private final long oneTicks;
    private final long oneRest;

    BucketRule(Numbers numbers, String shape) {
        super(numbers.tickMicros, numbers.capacity, numbers.maxDebt, shape);
        this.numbers = numbers;
        this.n = numbers.n;
        this.p = numbers.p;
        this.tolerance = capacity * p;
        this.ceiling = numbers.ceiling;
        this.ceilingTicks = ceiling / n;
        this.oneTicks = p / n;
        this.oneRest = p % n;
    }

    abstract BucketRule with(Numbers other);

    /** Returns the tick at which the bucket is full again, without the {@link #rest}. */
    static long fullAtTicks(State state) {
        return state.first;
    }

    /** Returns the number of n-ths of a tick to add to {@link #fullAtTicks}, from 0 to n - 1. */
    static long rest(State state) {
        return state.second;
    }

    static void setFullAt(State state, long fullAtTicks, long rest) {
        state.first = fullAtTicks;
        state.second = rest;
    }

    /** Returns the backlog in n-ths of a tick, by the numbers of the rule that wrote the state. */
    private static long backlog(State state, long nowTicks) {
        BucketRule under = (BucketRule) state.rule;
        long whole = fullAtTicks(state) - nowTicks;
        if (whole < 0) {
            return 0;
        }
        return whole > under.ceilingTicks ? under.ceiling : Math.min(whole * under.n + rest(state), under.ceiling);
    }

    @Override
    public boolean fits(State state, long cost, long nowMicros) {
        long wanted = state.held() + cost;
        return wanted <= capacity && backlog(state, ticks(nowMicros)) + wanted * p <= tolerance;
    }

    @Override
    public final void charge(State state, long cost, long nowMicros) {
        if (cost == 0) {
            return;
        }
        long nowTicks = ticks(nowMicros);
        long fullAtTicks = fullAtTicks(state);
        long rest = rest(state);
        if (fullAtTicks < nowTicks) {
            fullAtTicks = nowTicks;
            rest = 0;
        }
        if (cost == 1) {
            fullAtTicks += oneTicks;
            rest += oneRest;
        } else {
            fullAtTicks += cost * p / n;
            rest += cost * p % n;
        }
        if (rest >= n) {
            fullAtTicks++;
            rest -= n;
        }
        setFullAt(state, fullAtTicks, rest);
    }

    @Override
    final long force(State state, long cost, long atMicros) {
        long atTicks = ticks(atMicros);
        long before = backlog(state, atTicks);
        long most = (capacity + maxDebt) * p;
        long after = Math.min(before + Math.min(cost, capacity + maxDebt) * p, most);
        if (after <= before) {
            return 0;
        }
        write(state, atTicks, after);
        return (after - before) / p;
    }

    @Override
    public final long remaining(State state, long nowMicros) {
        long spent = backlog(state, ticks(nowMicros));
        return Math.max(0, Math.floorDiv(tolerance - spent, p) - state.held());
    }

    @Override
    public final long resetMicros(State state, long nowMicros) {
        return waitForTurn(state, 0, nowMicros);
    }

    @Override
    final long resetFromMicros(Snapshot seen, long lastExpiryMicros) {
        long spent = backlog(seen, ticks(lastExpiryMicros));
        long most = capacity + maxDebt;
        long all = Math.max(spent, Math.min(spent + Math.min(seen.held(), most) * p, most * p));
        return waitMicros(ceilDiv(all, n), lastExpiryMicros);
    }

    /** Returns how long until everything used, plus {@code more} permits, has come back. */
    final long waitForTurn(State state, long more, long nowMicros) {
        long before = backlog(state, ticks(nowMicros)) + more * p;
        return before == 0 ? 0 : waitMicros(ceilDiv(before, n), nowMicros);
    }

    /** Returns how long until the wanted number of permits, at most the capacity, fits. */
    final long waitForRoom(State state, long wanted, long nowMicros) {
        long missing = backlog(state, ticks(nowMicros)) + wanted * p - tolerance;
        return missing <= 0 ? 0 : waitMicros(ceilDiv(missing, n), nowMicros);
    }

    @Override
    public final long idleAtMicros(State state, long nowMicros) {
        BucketRule under = (BucketRule) state.rule;
        long full = rest(state) == 0 ? fullAtTicks(state) : fullAtTicks(state) + 1;
        return Math.min(full, under.ticks(nowMicros) + under.ceilingTicks + 1) * under.tickMicros;
    }

    /** Computed from the time in which a cost k comes back, which is k * p / n ticks. */
    @Override
    public final long longLivedFrom() {
        BigInteger most = big(MINUTE_MICROS / tickMicros).multiply(big(n)).divide(big(p));
        return most.compareTo(big(capacity)) >= 0 ? NEVER : most.longValueExact() + 1;
    }

    /**
     * Keeps the amount used, at the new rate. Raising a limit has an effect at once, and lowering it forgets nothing,
     * no matter how often two versions alternate on one account. A backlog above the largest debt of this limit is kept
     * under its own, higher ceiling.
     */
    @Override
    final boolean adopt(State state, long nowMicros) {
        BucketRule old = (BucketRule) state.rule;
        if (old.numbers.equals(numbers)) {
            state.rule = this;
            return false;
        }
        long used = backlog(state, old.ticks(nowMicros));
        BigInteger mine = big(used).multiply(big(p)).add(big(old.p - 1)).divide(big(old.p));
        long backlog = mine.min(big(mostBacklog())).longValueExact();
        state.rule = backlog > ceiling ? with(numbers.stretchedTo(backlog)) : this;
        if (backlog > 0) {
            write(state, ticks(nowMicros), backlog);
        } else {
            setFullAt(state, 0, 0); // nothing used: equivalent to a fresh state
        }
        return true;
    }

    @Override
    final boolean roll(State state, long nowMicros) {
        BucketRule under = (BucketRule) state.rule; // this rule, or this rule with a higher ceiling
        long nowTicks = ticks(nowMicros);
        long whole = fullAtTicks(state) - nowTicks;
        if (whole < under.ceilingTicks) {
            return false;
        }
        long backlog = backlog(state, nowTicks);
        if (whole <= under.ceilingTicks && whole * n + rest(state) == backlog) {
            return false;
        }
        write(state, nowTicks, backlog);
        return true;
    }

    @Override
    final String ownWords(long fromMicros, long toMicros) {
        return n + " " + p + " " + ceiling + " " + mostBacklog();
    }

    @Override
    public final Rule under(long otherCeiling) {
        return otherCeiling == ceiling ? this : with(numbers.stretchedTo(otherCeiling));
    }

    /** Returns the largest possible backlog of a state. Above it, no time would be exact. */
    private long mostBacklog() {
        return big(mostTicks(tickMicros)).multiply(big(n)).min(big(EXACT)).longValueExact();
    }

    private void write(State state, long nowTicks, long backlog) {
        setFullAt(state, nowTicks + backlog / n, backlog % n);
    }

    private static long mostTicks(long tickMicros) {
        return Math.min(MOST_TICKS, MOST_MICROS / tickMicros);
    }

    private static BigInteger big(long value) {
        return BigInteger.valueOf(value);
    }

    private static long gcd(long x, long y) {
        return y == 0 ? x : gcd(y, x % y);
    }
}
