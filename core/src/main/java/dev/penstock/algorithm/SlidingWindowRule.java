package dev.penstock.algorithm;

import dev.penstock.internal.Expect;
import java.math.BigInteger;

/**
 * Two counters: that of the current window, and that of the previous window, weighted by the part of it that still
 * overlaps. State: the number of the window, its count, and the count of the previous window.
 *
 * <p>Let W be the length of the window and e its elapsed part, in ticks. The estimate in W-ths of a permit is {@code
 * previousCount * (W - e) + count * W}, which is always a whole number. The tick is the finest for which all values
 * stay exact.
 */
final class SlidingWindowRule extends Rule {
    private static final long[] TICKS_MICROS = {1, 1_000, 1_000_000};

    private final long w;

    private SlidingWindowRule(SlidingWindow window, long maxDebt, long windowMicros, long tickMicros) {
        super(tickMicros, window.permits(), maxDebt, "sliding-" + window.span());
        this.w = windowMicros / tickMicros;
    }

    static SlidingWindowRule of(SlidingWindow window, long maxDebt) {
        long windowMicros = Expect.micros(window.window(), Algorithm.LONGEST, "window");
        for (long tickMicros : TICKS_MICROS) {
            if (windowMicros % tickMicros == 0 && isExact(window.permits(), maxDebt, windowMicros / tickMicros)) {
                return new SlidingWindowRule(window, maxDebt, windowMicros, tickMicros);
            }
        }
        throw new IllegalArgumentException("sliding_window: " + window.permits() + " per " + window.window()
                + " with maxDebt " + maxDebt
                + " (expected: numbers that are exact below 2^53: fewer permits or debt, or"
                + " a shorter window in whole seconds)");
    }

    /**
     * Returns whether the largest sum is exact. That is both counters at capacity plus debt, everything held, and a
     * cost of the capacity.
     */
    private static boolean isExact(long permits, long maxDebt, long windowTicks) {
        BigInteger most = BigInteger.valueOf(permits)
                .multiply(BigInteger.valueOf(4))
                .add(BigInteger.valueOf(maxDebt).multiply(BigInteger.TWO));
        return most.multiply(BigInteger.valueOf(windowTicks)).compareTo(BigInteger.valueOf(EXACT)) < 0;
    }

    @Override
    public long[] scriptNumbers() {
        return new long[] {2, tickMicros, capacity, maxDebt, w, 0, 0};
    }

    @Override
    String kind() {
        return "sliding_window";
    }

    @Override
    String ownWords(long fromMicros, long toMicros) {
        return String.valueOf(w);
    }

    /**
     * A window of one minute does not count as long-lived, although its account is kept for up to
     * two minutes.
     */
    @Override
    public long longLivedFrom() {
        return longLivedIf(w * tickMicros);
    }

    /** Returns the number of the window since 1970. */
    private static long window(State state) {
        return state.first;
    }

    private static long count(State state) {
        return state.second;
    }

    /** Returns the count of the previous window. */
    private static long previousCount(State state) {
        return state.third;
    }

    private static void setCount(State state, long count) {
        state.second = count;
    }

    private static void setWindow(State state, long window, long count, long previousCount) {
        state.first = window;
        state.second = count;
        state.third = previousCount;
    }

    @Override
    boolean roll(State state, long nowMicros) {
        long window = Math.floorDiv(ticks(nowMicros), w);
        long ahead = window - window(state);
        if (ahead == 0 || ahead == -1) {
            return false;
        }
        if (ahead < 0) {
            setWindow(state, window + 1, count(state), previousCount(state));
            return true;
        }
        setWindow(state, window, 0, ahead == 1 ? count(state) : 0);
        return false;
    }

    /**
     * Returns the elapsed part of the state's window. It is 0 if the window is in the future because the clock was set
     * back.
     */
    private long elapsed(State state, long nowMicros) {
        return Math.max(0, ticks(nowMicros) - window(state) * w);
    }

    @Override
    public boolean fits(State state, long cost, long nowMicros) {
        long free = capacity - count(state) - state.held() - cost;
        return free >= 0 && isWithin(previousCount(state), w - elapsed(state, nowMicros), free * w);
    }

    /**
     * Returns whether {@code count * ticks <= most}. The count may come from a far larger limit, for which the product
     * may overflow.
     */
    private boolean isWithin(long count, long ticks, long most) {
        return count <= capacity + maxDebt ? count * ticks <= most : count <= most / ticks;
    }

    @Override
    public void charge(State state, long cost, long nowMicros) {
        setCount(state, count(state) + cost);
    }

    @Override
    long force(State state, long cost, long atMicros) {
        if (Math.floorDiv(ticks(atMicros), w) > window(state)) {
            roll(state, atMicros);
        }
        long most = capacity + maxDebt;
        long count = count(state);
        long forced = Math.max(0, Math.min(cost, most - count));
        setCount(state, count + forced);
        return forced;
    }

    @Override
    public long remaining(State state, long nowMicros) {
        long free = capacity - count(state) - state.held();
        long ticks = w - elapsed(state, nowMicros);
        return free <= 0 || !isWithin(previousCount(state), ticks, free * w)
                ? 0
                : free - ceilDiv(previousCount(state) * ticks, w);
    }

    @Override
    public long resetMicros(State state, long nowMicros) {
        long end = window(state) + (count(state) > 0 ? 2 : 1);
        return count(state) == 0 && previousCount(state) == 0 ? 0 : end * w * tickMicros - nowMicros;
    }

    @Override
    long resetFromMicros(Snapshot seen, long lastExpiryMicros) {
        long last = Math.max(window(seen), Math.floorDiv(ticks(lastExpiryMicros), w));
        return (last + 2) * w * tickMicros - lastExpiryMicros;
    }

    @Override
    long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros) {
        long free = capacity - refused.held() - refused.cost;
        if (free < 0) {
            return refused.earliestExpiryMicros() - nowMicros;
        }
        long start = window(refused) * w;
        long tick = count(refused) <= free
                ? start + w - shareOf(free - count(refused), previousCount(refused))
                : start + w + w - shareOf(free, count(refused));
        return tick * tickMicros - nowMicros;
    }

    /**
     * Returns the number of ticks at the end of a window in which a count of the previous window weighs at most {@code
     * free}.
     */
    private long shareOf(long free, long count) {
        return Math.min(w, w * free / count);
    }

    @Override
    public long idleAtMicros(State state, long nowMicros) {
        long window = Math.min(window(state), Math.floorDiv(ticks(nowMicros), w) + 1);
        return count(state) == 0 && previousCount(state) == 0
                ? 0
                : (window + (count(state) > 0 ? 2 : 1)) * w * tickMicros;
    }
}
