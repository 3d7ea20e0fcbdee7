package dev.penstock.internal.lease;

import java.util.concurrent.atomic.AtomicLong;

/** How many permits of one account are asked for in a while: of the last whole while, or of this one if that is more. */
final class Demand {
    private final AtomicLong current = new AtomicLong();
    private volatile long before;
    private volatile long sinceMicros;

    Demand(long nowMicros) {
        this.sinceMicros = nowMicros;
    }

    /** Counts the permits; answers how many a while takes. */
    long note(long permits, long whileMicros, long nowMicros) {
        long passed = nowMicros - sinceMicros;
        if (passed < 0 || passed >= whileMicros) {
            roll(whileMicros, nowMicros);
        }
        return Math.max(before, current.addAndGet(permits));
    }

    private synchronized void roll(long whileMicros, long nowMicros) {
        long passed = nowMicros - sinceMicros;
        if (passed >= 0 && passed < whileMicros) {
            return; // somebody else did
        }
        before = passed >= 0 && passed < 2 * whileMicros ? current.get() : 0;
        current.set(0);
        sinceMicros = nowMicros;
    }
}
