package dev.penstock.algorithm;

import dev.penstock.internal.Expect;

/** At most {@code slots} held. The whole state is in the account's {@link Holds}, and nothing is ever spent. */
final class ConcurrencyRule extends Rule {
    private final long ttlMicros;

    ConcurrencyRule(Concurrency slots) {
        super(1, slots.slots(), 0, "slots");
        this.ttlMicros = Expect.micros(slots.ttl(), Concurrency.LONGEST, "ttl");
    }

    @Override
    String kind() {
        return "concurrency";
    }

    @Override
    String ownWords(long fromMicros, long toMicros) {
        return String.valueOf(ttlMicros);
    }

    @Override
    public long longLivedFrom() {
        return longLivedIf(ttlMicros);
    }

    @Override
    boolean roll(State state, long nowMicros) {
        return false;
    }

    @Override
    public boolean fits(State state, long cost, long nowMicros) {
        return state.held() + cost <= capacity;
    }

    /** Always fails, because slots are only held. */
    @Override
    public void charge(State state, long cost, long nowMicros) {
        throw new AssertionError("slots are held, not spent");
    }

    /** Does nothing, because a released or expired slot leaves no trace. */
    @Override
    long force(State state, long cost, long atMicros) {
        return 0;
    }

    @Override
    public long remaining(State state, long nowMicros) {
        return Math.max(0, capacity - state.held());
    }

    /** Returns the time after which every slot that is held now is free, unless it is renewed. */
    @Override
    public long resetMicros(State state, long nowMicros) {
        return state.held() == 0 ? 0 : ttlMicros;
    }

    @Override
    long resetFromMicros(Snapshot seen, long lastExpiryMicros) {
        return 0;
    }

    /** Returns the time until the first slot expires. A release may come sooner. */
    @Override
    long waitUntilFits(Snapshot refused, long nowMicros, long maxDelayMicros) {
        return refused.earliestExpiryMicros() - nowMicros;
    }

    @Override
    public long idleAtMicros(State state, long nowMicros) {
        return 0;
    }

    @Override
    public boolean isPlain() {
        return false;
    }

    @Override
    public long idleAfterMicros(long cost, long nowMicros) {
        return nowMicros + ttlMicros;
    }
}
