package dev.penstock.internal.lease;

import java.util.concurrent.atomic.LongAdder;

/** How many permits of one account are asked for in a while: of the last whole while, or of this one if that is more. */
final class LeaseDemand {
    private final LongAdder current = new LongAdder();
    private volatile long before;
    private volatile long sinceMicros;

    LeaseDemand(long nowMicros) {
        this.sinceMicros = nowMicros;
    }

    /** Counts the permits. */
    void note(long permits, long whileMicros, long nowMicros) {
        long passed = nowMicros - sinceMicros;
        if (passed < 0 || passed >= whileMicros) {
            roll(whileMicros, nowMicros);
        }
        current.add(permits); // many threads may be after one key
    }

    /** How many a while takes. */
    long permits() {
        return Math.max(before, current.sum());
    }

    private synchronized void roll(long whileMicros, long nowMicros) {
        long passed = nowMicros - sinceMicros;
        if (passed >= 0 && passed < whileMicros) {
            return; // somebody else did
        }
        before = passed >= 0 && passed < 2 * whileMicros ? current.sum() : 0;
        current.reset(); // after it, so that nobody sees neither
        sinceMicros = nowMicros;
    }
}
