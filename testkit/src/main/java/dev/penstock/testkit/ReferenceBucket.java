package dev.penstock.testkit;

import dev.penstock.Limit;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.TokenBucket;
import java.math.BigInteger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The token bucket and the leaky bucket: the time at which all used permits are back, as an exact rational number of
 * ticks.
 *
 * <p>The distance from now to that time is the backlog. It is limited to a ceiling: capacity plus debt, or temporarily
 * more after the numbers were lowered while the backlog was large.
 */
final class ReferenceBucket implements ReferenceCounter {
    private static final BigInteger MOST_TICKS = BigInteger.TEN.pow(15);
    private static final BigInteger MOST_MICROS = BigInteger.TEN.pow(18);
    private static final BigInteger MOST_PARTS = BigInteger.TWO.pow(53);

    /** The numbers of a limit: ticks per permit, the tick, capacity, maximum debt, and the maximum backlog. */
    record Numbers(Fraction interval, long tickMicros, long capacity, long maxDebt, Fraction ceiling) {
        static Numbers of(Limit limit) {
            long tickMicros = ReferenceBucket.tickMicros(limit);
            Fraction interval;
            if (limit.algorithm() instanceof TokenBucket bucket) {
                interval = Fraction.of(micros(bucket.period()) / tickMicros, bucket.permits());
            } else if (limit.algorithm() instanceof LeakyBucket bucket) {
                interval = Fraction.of(micros(bucket.period()) / tickMicros, bucket.permits());
            } else {
                throw new IllegalArgumentException("limit: " + limit + " (expected: a bucket)");
            }
            Fraction plain = interval.times(Math.addExact(limit.capacity(), limit.maxDebt()));
            return new Numbers(interval, tickMicros, limit.capacity(), limit.maxDebt(), plain);
        }

        Fraction tolerance() {
            return interval.times(capacity);
        }

        /** Returns a copy whose ceiling is not below the backlog. */
        Numbers stretchedTo(Fraction backlog) {
            return new Numbers(interval, tickMicros, capacity, maxDebt, ceiling.max(backlog));
        }

        Fraction tick(long micros) {
            return Fraction.of(Math.floorDiv(micros, tickMicros));
        }

        /** Rounds up to what the bucket can count, and limits it to what it can hold. */
        Fraction representable(Fraction backlog) {
            BigInteger parts = interval.denominator();
            Fraction counted = Fraction.of(backlog.times(Fraction.of(parts)).ceil(), parts);
            return counted.min(Fraction.of(MOST_TICKS))
                    .min(Fraction.of(MOST_PARTS, parts))
                    .min(Fraction.of(MOST_MICROS, BigInteger.valueOf(tickMicros)));
        }
    }

    /** Null for a new account that was never written. */
    private final @Nullable Numbers numbers;

    private final Fraction backAt;

    private ReferenceBucket(@Nullable Numbers numbers, Fraction backAt) {
        this.numbers = numbers;
        this.backAt = backAt;
    }

    static ReferenceBucket fresh() {
        return new ReferenceBucket(null, Fraction.ZERO);
    }

    @Override
    public Read adopt(Limit limit, long now) {
        Numbers after = Numbers.of(limit);
        Numbers before = numbers;
        if (before == null) {
            return new Read(new ReferenceBucket(after, backAt), false);
        }
        if (before.equals(after)) {
            return new Read(this, false);
        }
        if (backlog(now).signum() == 0) {
            return new Read(new ReferenceBucket(after, Fraction.ZERO), true);
        }
        Fraction used = backlog(now).dividedBy(before.interval);
        Fraction backlog = after.representable(used.times(after.interval));
        return new Read(
                new ReferenceBucket(after.stretchedTo(backlog), after.tick(now).plus(backlog)), true);
    }

    @Override
    public Read roll(Limit limit, long now) {
        Numbers current = current();
        Fraction highest = current.tick(now).plus(current.ceiling);
        return backAt.compareTo(highest) > 0
                ? new Read(new ReferenceBucket(current, highest), true)
                : new Read(this, false);
    }

    @Override
    public boolean fits(Limit limit, Demand demand, long now) {
        return demand.total() <= limit.capacity()
                && missing(demand, now).signum() <= 0
                && delayMicros(limit, demand.ahead(), now) <= demand.maxDelayMicros();
    }

    @Override
    public ReferenceCounter charge(Limit limit, long cost, long now) {
        if (cost == 0) {
            return this;
        }
        Numbers current = current();
        return new ReferenceBucket(current, backAt.max(current.tick(now)).plus(current.interval.times(cost)));
    }

    @Override
    public ReferenceCounter force(Limit limit, long amount, long at) {
        Numbers current = current();
        Fraction before = backlog(at);
        Fraction most = current.interval.times(Math.addExact(current.capacity, current.maxDebt));
        Fraction after = before.plus(current.interval.times(amount)).min(most);
        return after.compareTo(before) > 0
                ? new ReferenceBucket(current, current.tick(at).plus(after))
                : this;
    }

    @Override
    public long forced(Limit limit, long amount, long at) {
        ReferenceBucket after = (ReferenceBucket) force(limit, amount, at);
        return after.backlog(at)
                .minus(backlog(at))
                .dividedBy(current().interval)
                .floor()
                .longValueExact();
    }

    /**
     * Undoes a charge if the bucket has not changed since it was made. Otherwise a later request queued behind it, and
     * it stays.
     */
    ReferenceBucket undo(Fraction mark, long amount) {
        return backAt.equals(mark)
                ? new ReferenceBucket(numbers, backAt.minus(current().interval.times(amount)))
                : this;
    }

    /** Returns a mark that identifies the current state. */
    Fraction mark() {
        return backAt;
    }

    @Override
    public long remaining(Limit limit, long held, long now) {
        Fraction left = current().tolerance().minus(backlog(now)).dividedBy(current().interval);
        return Math.max(0, left.floor().longValueExact() - held);
    }

    @Override
    public long resetMicros(Limit limit, long held, long now) {
        return micros(backlog(now), now);
    }

    @Override
    public long waitMicros(Limit limit, Demand demand, long now) {
        long untilItFits = Math.max(0, micros(missing(demand, now), now));
        long untilTheDelayFits = delayMicros(limit, demand.ahead(), now) - demand.maxDelayMicros();
        return Math.max(untilItFits, untilTheDelayFits);
    }

    @Override
    public long delayMicros(Limit limit, long ahead, long now) {
        return limit.algorithm() instanceof LeakyBucket
                ? micros(backlog(now).plus(current().interval.times(ahead)), now)
                : 0;
    }

    private Fraction backlog(long at) {
        Numbers current = current();
        return backAt.minus(current.tick(at)).max(Fraction.ZERO).min(current.ceiling);
    }

    private Fraction missing(Demand demand, long now) {
        return backlog(now)
                .plus(current().interval.times(demand.total()))
                .minus(current().tolerance());
    }

    /** Returns the time until this number of ticks will have passed since the current tick; 0 for none. */
    private long micros(Fraction ticks, long now) {
        if (ticks.signum() <= 0) {
            return 0;
        }
        BigInteger then = current().tick(now).floor().add(ticks.ceil());
        return then.multiply(BigInteger.valueOf(current().tickMicros))
                .subtract(BigInteger.valueOf(now))
                .longValueExact();
    }

    private Numbers current() {
        if (numbers == null) {
            throw new IllegalStateException("a bucket is read before it adopted a limit");
        }
        return numbers;
    }

    static long tickMicros(Limit limit) {
        return micros(limit.tick());
    }

    private static long micros(Duration duration) {
        return duration.toNanos() / 1_000;
    }

    @Override
    public boolean hasBeenUsed() {
        return backAt.signum() != 0;
    }

    @Override
    public String toString() {
        return "back at tick " + backAt;
    }
}
