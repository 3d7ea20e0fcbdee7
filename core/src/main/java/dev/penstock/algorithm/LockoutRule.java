package dev.penstock.algorithm;

import dev.penstock.internal.Expect;

/**
 * Counts strikes, and keeps the block that they cause. State: the end of the block, the strikes of the window, and the
 * end of that window.
 *
 * <p>If the clock was set back, the block and the window last no longer than if they started now.
 */
final class LockoutRule extends Rule {
    private final long w;
    private final long lockout;

    LockoutRule(Lockout algorithm) {
        super(1, algorithm.strikes(), 0, algorithm.of().isEmpty() ? "lockout" : "lockout-" + algorithm.of());
        this.w = Expect.micros(algorithm.window(), Algorithm.LONGEST, "window");
        this.lockout = Expect.micros(algorithm.lockout(), Algorithm.LONGEST, "lockout");
    }

    @Override
    String kind() {
        return "lockout";
    }

    @Override
    String ownWords(long fromMicros, long toMicros) {
        return w + " " + lockout;
    }

    /**
     * Returns true if the times have changed, so that the state is stored even for a look. A state
     * that nobody reads again expires by the numbers that were stored last.
     */
    @Override
    boolean adopt(State state, long nowMicros) {
        LockoutRule old = (LockoutRule) state.rule;
        state.rule = this;
        return old.w != w || old.lockout != lockout;
    }

    @Override
    public long longLivedFrom() {
        return longLivedIf(Math.max(w, lockout));
    }

    private static long blockedUntilMicros(State state) {
        return state.first;
    }

    private static long windowEndMicros(State state) {
        return state.third;
    }

    private static void set(State state, long blockedUntilMicros, long strikes, long windowEndMicros) {
        state.first = blockedUntilMicros;
        state.second = strikes;
        state.third = windowEndMicros;
    }

    @Override
    boolean roll(State state, long nowMicros) {
        boolean tooLong = blockedUntilMicros(state) > nowMicros + lockout || windowEndMicros(state) > nowMicros + w;
        if (tooLong) {
            set(
                    state,
                    Math.min(blockedUntilMicros(state), nowMicros + lockout),
                    state.second,
                    Math.min(windowEndMicros(state), nowMicros + w));
        }
        return tooLong;
    }

    /** Returns the strikes of the current window; 0 if it has ended. */
    private static long strikes(State state, long nowMicros) {
        return windowEndMicros(state) > nowMicros ? state.second : 0;
    }

    private static boolean isBlocked(State state, long nowMicros) {
        return blockedUntilMicros(state) > nowMicros;
    }

    @Override
    public boolean fits(State state, long cost, long nowMicros) {
        return cost > 0 || !isBlocked(state, nowMicros);
    }

    @Override
    public void charge(State state, long cost, long nowMicros) {
        if (cost == 0 || isBlocked(state, nowMicros)) {
            return;
        }
        long before = strikes(state, nowMicros);
        if (before + cost >= capacity) {
            set(state, nowMicros + lockout, 0, 0);
        } else {
            set(state, 0, before + cost, before == 0 ? nowMicros + w : windowEndMicros(state));
        }
    }

    @Override
    long force(State state, long cost, long atMicros) {
        throw new AssertionError("strikes are never held");
    }

    @Override
    public boolean canBeHeld() {
        return false;
    }

    /** Returns the number of strikes left until the block. It is at least 1 unless the key is blocked. */
    @Override
    public long remaining(State state, long nowMicros) {
        return isBlocked(state, nowMicros) ? 0 : Math.max(1, capacity - strikes(state, nowMicros));
    }

    @Override
    public long resetMicros(State state, long nowMicros) {
        if (isBlocked(state, nowMicros)) {
            return blockedUntilMicros(state) - nowMicros;
        }
        return strikes(state, nowMicros) == 0 ? 0 : windowEndMicros(state) - nowMicros;
    }

    @Override
    long resetFromMicros(Snapshot seen, long lastExpiryMicros) {
        throw new AssertionError("strikes are never held");
    }

    @Override
    long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros) {
        return blockedUntilMicros(refused) - nowMicros;
    }

    @Override
    public long idleAtMicros(State state, long nowMicros) {
        return Math.max(
                Math.min(blockedUntilMicros(state), nowMicros + lockout),
                Math.min(windowEndMicros(state), nowMicros + w));
    }
}
