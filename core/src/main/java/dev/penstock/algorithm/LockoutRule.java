package dev.penstock.algorithm;

import dev.penstock.internal.Expect;

/**
 * Strikes, and the block that enough of them bring. State: {@code a} until when it is blocked, {@code b} the strikes of the
 * window, {@code c} until when that is open.
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

    @Override
    boolean roll(State state, long nowMicros) {
        boolean tooLong = state.a > nowMicros + lockout || state.c > nowMicros + w;
        if (tooLong) {
            state.a = Math.min(state.a, nowMicros + lockout);
            state.c = Math.min(state.c, nowMicros + w);
        }
        return tooLong;
    }

    /** The strikes that count. */
    private static long strikes(State state, long nowMicros) {
        return state.c > nowMicros ? state.b : 0;
    }

    private static boolean isBlocked(State state, long nowMicros) {
        return state.a > nowMicros;
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
        boolean enough = before + cost >= capacity;
        state.a = enough ? nowMicros + lockout : 0;
        state.b = enough ? 0 : before + cost;
        state.c = enough ? 0 : before == 0 ? nowMicros + w : state.c;
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
            return state.a - nowMicros;
        }
        return strikes(state, nowMicros) == 0 ? 0 : state.c - nowMicros;
    }

    @Override
    long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros) {
        return refused.a - nowMicros;
    }

    @Override
    public long idleAtMicros(State state, long nowMicros) {
        return Math.max(Math.min(state.a, nowMicros + lockout), Math.min(state.c, nowMicros + w));
    }
}
