package dev.penstock.algorithm;

import org.jspecify.annotations.Nullable;

/**
 * One counter per window. State: the start of the window in microseconds, and the count.
 *
 * <p>If the clock was set back, the stored window may be in the future. If it is after the next
 * window, it becomes the next window and keeps its count. So nothing is granted twice, and nobody
 * is locked out for longer than two windows.
 */
final class FixedWindowRule extends Rule {
    private final WindowBoundaries grid;

    FixedWindowRule(long permits, long maxDebt, WindowBoundaries grid, String span) {
        super(1, permits, maxDebt, "fixed-" + span);
        this.grid = grid;
    }

    @Override
    public long @Nullable [] scriptNumbers() {
        return grid instanceof WindowBoundaries.Even even
                ? new long[] {1, tickMicros, capacity, maxDebt, even.lengthMicros(), 0, 0}
                : null;
    }

    @Override
    String kind() {
        return "fixed_window";
    }

    @Override
    String ownWords(long fromMicros, long toMicros) {
        return grid.words(fromMicros, toMicros);
    }

    /**
     * Returns the text form with the windows around other times, if it lists calendar windows. Otherwise returns it
     * unchanged.
     */
    static String atOtherTimes(String words, long fromMicros, long toMicros) {
        String[] each = words.split(" ", -1);
        WindowBoundaries grid = each.length > 4 ? CalendarBoundaries.named(each[4]) : null;
        return grid == null
                ? words
                : each[0] + " " + each[1] + " " + each[2] + " " + each[3] + " " + grid.words(fromMicros, toMicros);
    }

    @Override
    public long longLivedFrom() {
        return grid instanceof WindowBoundaries.Even even
                ? longLivedIf(even.lengthMicros())
                : 1; // every calendar period is longer than a minute
    }

    private static long startMicros(State state) {
        return state.first;
    }

    private static long count(State state) {
        return state.second;
    }

    private static void setWindow(State state, long startMicros, long count) {
        state.first = startMicros;
        state.second = count;
    }

    @Override
    boolean roll(State state, long nowMicros) {
        long start = grid.start(nowMicros);
        if (startMicros(state) == start) {
            return false;
        }
        if (startMicros(state) < start) {
            setWindow(state, start, 0);
            return false;
        }
        long next = grid.end(start);
        if (startMicros(state) == next) {
            return false;
        }
        setWindow(state, next, count(state));
        return true;
    }

    @Override
    public boolean fits(State state, long cost, long nowMicros) {
        return count(state) + state.held() + cost <= capacity;
    }

    @Override
    public void charge(State state, long cost, long nowMicros) {
        setWindow(state, startMicros(state), count(state) + cost);
    }

    @Override
    long force(State state, long cost, long atMicros) {
        if (grid.start(atMicros) > startMicros(state)) {
            roll(state, atMicros);
        }
        long most = capacity + maxDebt;
        long count = count(state);
        long forced = Math.max(0, Math.min(cost, most - count));
        setWindow(state, startMicros(state), count + forced);
        return forced;
    }

    @Override
    public long remaining(State state, long nowMicros) {
        return Math.max(0, capacity - count(state) - state.held());
    }

    @Override
    public long resetMicros(State state, long nowMicros) {
        return count(state) == 0 ? 0 : grid.end(startMicros(state)) - nowMicros;
    }

    @Override
    public long periodEndMicros(Snapshot seen, long nowMicros) {
        return Math.max(resetFromMicros(seen, nowMicros), allBackMicros(seen, nowMicros));
    }

    @Override
    long resetFromMicros(Snapshot seen, long lastExpiryMicros) {
        return grid.end(Math.max(startMicros(seen), grid.start(lastExpiryMicros))) - lastExpiryMicros;
    }

    @Override
    long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros) {
        return refused.held() + refused.cost <= capacity
                ? grid.end(startMicros(refused)) - nowMicros
                : refused.earliestExpiryMicros() - nowMicros;
    }

    @Override
    public long idleAtMicros(State state, long nowMicros) {
        return count(state) == 0 ? 0 : grid.end(Math.min(startMicros(state), grid.end(grid.start(nowMicros))));
    }
}
