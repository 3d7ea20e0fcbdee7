package dev.penstock.testkit;

import dev.penstock.Limit;
import dev.penstock.algorithm.SlidingWindow;
import java.math.BigInteger;

/** The sliding window: the number of the current window, and the usage in it and in the previous one. */
record ReferenceSlidingWindow(long window, long current, long previous) implements ReferenceCounter {
    static ReferenceSlidingWindow fresh() {
        return new ReferenceSlidingWindow(Long.MIN_VALUE, 0, 0);
    }

    @Override
    public Read roll(Limit limit, long now) {
        long here = Math.floorDiv(tick(limit, now), lengthTicks(limit));
        if (window == here || window == here + 1) {
            return new Read(this, false);
        }
        if (window > here + 1) {
            return new Read(new ReferenceSlidingWindow(here + 1, current, previous), true);
        }
        return new Read(new ReferenceSlidingWindow(here, 0, window == here - 1 ? current : 0), false);
    }

    @Override
    public boolean fits(Limit limit, Demand demand, long now) {
        return fitsAtTick(limit, demand.total(), tick(limit, now));
    }

    private boolean fitsAtTick(Limit limit, long more, long tick) {
        long wanted = Math.addExact(current, more);
        BigInteger length = BigInteger.valueOf(lengthTicks(limit));
        BigInteger weighed =
                weighedPrevious(limit, tick).add(BigInteger.valueOf(wanted).multiply(length));
        return wanted <= limit.capacity()
                && weighed.compareTo(BigInteger.valueOf(limit.capacity()).multiply(length)) <= 0;
    }

    /** Returns the weighted usage of the previous window, times the length of a window. */
    private BigInteger weighedPrevious(Limit limit, long tick) {
        long length = lengthTicks(limit);
        long elapsed = Math.max(0, tick - startTick(limit, 0));
        return BigInteger.valueOf(previous).multiply(BigInteger.valueOf(length - elapsed));
    }

    @Override
    public ReferenceCounter charge(Limit limit, long cost, long now) {
        return new ReferenceSlidingWindow(window, Math.addExact(current, cost), previous);
    }

    @Override
    public ReferenceCounter force(Limit limit, long amount, long at) {
        if (Math.floorDiv(tick(limit, at), lengthTicks(limit)) > window) {
            return roll(limit, at).counter().force(limit, amount, at);
        }
        long most = Math.addExact(limit.capacity(), limit.maxDebt());
        long forced = Math.min(Math.addExact(current, amount), most);
        return new ReferenceSlidingWindow(window, Math.max(current, forced), previous);
    }

    @Override
    public long forced(Limit limit, long amount, long at) {
        boolean isOver = Math.floorDiv(tick(limit, at), lengthTicks(limit)) > window;
        return ((ReferenceSlidingWindow) force(limit, amount, at)).current - (isOver ? 0 : current);
    }

    @Override
    public long remaining(Limit limit, long held, long now) {
        BigInteger length = BigInteger.valueOf(lengthTicks(limit));
        long weight = Fraction.of(weighedPrevious(limit, tick(limit, now)), length)
                .ceil()
                .longValueExact();
        return Math.max(0, limit.capacity() - current - held - weight);
    }

    @Override
    public long resetMicros(Limit limit, long held, long now) {
        if (current == 0 && previous == 0) {
            return 0;
        }
        return startTick(limit, current > 0 ? 2 : 1) * ReferenceBucket.tickMicros(limit) - now;
    }

    /**
     * Runs a binary search up to two windows ahead, when nothing counts any longer. The usage only decreases until
     * then.
     */
    @Override
    public long waitMicros(Limit limit, Demand demand, long now) {
        long tickMicros = ReferenceBucket.tickMicros(limit);
        long tooEarly = tick(limit, now);
        long late = startTick(limit, 2);
        while (late - tooEarly > 1) {
            long middle = tooEarly + (late - tooEarly) / 2;
            ReferenceSlidingWindow then =
                    (ReferenceSlidingWindow) roll(limit, middle * tickMicros).counter();
            if (then.fitsAtTick(limit, demand.total(), middle)) {
                late = middle;
            } else {
                tooEarly = middle;
            }
        }
        return late * tickMicros - now;
    }

    @Override
    public boolean hasBeenUsed() {
        return window != Long.MIN_VALUE;
    }

    /** Returns the first tick of the window that is this many windows after the current one. */
    private long startTick(Limit limit, long after) {
        return Math.multiplyExact(window + after, lengthTicks(limit));
    }

    private static long tick(Limit limit, long micros) {
        return Math.floorDiv(micros, ReferenceBucket.tickMicros(limit));
    }

    private static long lengthTicks(Limit limit) {
        if (limit.algorithm() instanceof SlidingWindow sliding) {
            return sliding.window().toNanos() / 1_000 / ReferenceBucket.tickMicros(limit);
        }
        throw new IllegalArgumentException("limit: " + limit + " (expected: a sliding window)");
    }
}
