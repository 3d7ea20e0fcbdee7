package dev.penstock.algorithm;

import dev.penstock.internal.Expect;

/**
 * Strikes, and the block that enough of them bring. State: until when it is blocked, the strikes of the window, and the end
 * of that window.
 *
 * <p>After the clock went back neither lasts longer than one that began now.
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

    /** Kept even by a look: a state that is forgotten unread goes by the numbers of its last reader. */
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

    /** The strikes that count. */
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
    void force(State state, long cost, long atMicros) {
        throw new AssertionError("strikes are never held");
    }

    @Override
    public boolean canBeHeld() {
        return false;
    }

    /** How many strikes are left until it is blocked; at least one unless it is. */
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
