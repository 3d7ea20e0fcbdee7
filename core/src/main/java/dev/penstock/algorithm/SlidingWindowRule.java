package dev.penstock.algorithm;

import dev.penstock.internal.Expect;
import java.math.BigInteger;

/**
 * Two counters: this window's, and the last one's by the share of it that still overlaps. State: {@code a} the window's
 * number, {@code b} its count, {@code c} the count of the one before.
 *
 * <p>With W the window and e what has passed of it, in ticks, the estimate in W-ths of a permit is
 * {@code c * (W - e) + b * W}: whole numbers throughout. The tick is the finest for which they stay exact.
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

    /** The largest sum: both counters at capacity and debt, everything held, and a cost of the capacity. */
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

    /** A window of a minute does not count as long-lived, although its account is kept for up to two. */
    @Override
    public long longLivedFrom() {
        return longLivedIf(w * tickMicros);
    }

    @Override
    boolean roll(State state, long nowMicros) {
        long window = Math.floorDiv(ticks(nowMicros), w);
        long ahead = window - state.a;
        if (ahead == 0 || ahead == -1) {
            return false;
        }
        if (ahead < 0) {
            state.a = window + 1;
            return true;
        }
        state.c = ahead == 1 ? state.b : 0;
        state.b = 0;
        state.a = window;
        return false;
    }

    /** What has passed of the state's window; none while it is still to come, after the clock went back. */
    private long elapsed(State state, long nowMicros) {
        return Math.max(0, ticks(nowMicros) - state.a * w);
    }

    @Override
    public boolean fits(State state, long cost, long nowMicros) {
        long free = capacity - state.b - state.held() - cost;
        return free >= 0 && isWithin(state.c, w - elapsed(state, nowMicros), free * w);
    }

    /** Whether count * ticks <= most; the count may be that of a far larger limit, and the product too large. */
    private boolean isWithin(long count, long ticks, long most) {
        return count <= capacity + maxDebt ? count * ticks <= most : count <= most / ticks;
    }

    @Override
    public void charge(State state, long cost, long nowMicros) {
        state.b += cost;
    }

    @Override
    void force(State state, long cost, long atMicros) {
        if (Math.floorDiv(ticks(atMicros), w) > state.a) {
            roll(state, atMicros);
        }
        long most = capacity + maxDebt;
        state.b = Math.max(state.b, Math.min(state.b + Math.min(cost, most), most));
    }

    @Override
    public long remaining(State state, long nowMicros) {
        long free = capacity - state.b - state.held();
        long ticks = w - elapsed(state, nowMicros);
        return free <= 0 || !isWithin(state.c, ticks, free * w) ? 0 : free - ceilDiv(state.c * ticks, w);
    }

    @Override
    public long resetMicros(State state, long nowMicros) {
        long end = state.a + (state.b > 0 ? 2 : 1);
        return state.b == 0 && state.c == 0 ? 0 : end * w * tickMicros - nowMicros;
    }

    @Override
    long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros) {
        long free = capacity - refused.held() - refused.cost;
        if (free < 0) {
            return refused.earliestExpiryMicros() - nowMicros;
        }
        long start = refused.a * w;
        long tick = refused.b <= free
                ? start + w - shareOf(free - refused.b, refused.c)
                : start + w + w - shareOf(free, refused.b);
        return tick * tickMicros - nowMicros;
    }

    /** The last ticks of a window within which a count of the window before weighs no more than {@code free}. */
    private long shareOf(long free, long count) {
        return Math.min(w, w * free / count);
    }

    @Override
    public long idleAtMicros(State state, long nowMicros) {
        long window = Math.min(state.a, Math.floorDiv(ticks(nowMicros), w) + 1);
        return state.b == 0 && state.c == 0 ? 0 : (window + (state.b > 0 ? 2 : 1)) * w * tickMicros;
    }
}
