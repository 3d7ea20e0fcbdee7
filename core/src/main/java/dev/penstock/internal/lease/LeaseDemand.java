package dev.penstock.internal.lease;

import java.util.concurrent.atomic.LongAdder;

/**
 * The number of permits of one account that are asked for in one lease lifetime: that of the last full period or of the
 * current one, whichever is larger.
 */
final class LeaseDemand {
    private final LongAdder current = new LongAdder();
    private volatile long before;
    private volatile long sinceMicros;

    LeaseDemand(long nowMicros) {
        this.sinceMicros = nowMicros;
    }

    /** Counts permits that are asked for. A period ends after {@code whileMicros}. */
    void note(long permits, long whileMicros, long nowMicros) {
        long passed = nowMicros - sinceMicros;
        if (passed < 0 || passed >= whileMicros) {
            roll(whileMicros, nowMicros);
        }
        current.add(permits); // an adder, because many threads may ask for one key
    }

    /** Returns the number of permits asked for in one period. */
    long permits() {
        return Math.max(before, current.sum());
    }

    private synchronized void roll(long whileMicros, long nowMicros) {
        long passed = nowMicros - sinceMicros;
        if (passed >= 0 && passed < whileMicros) {
            return; // another thread has begun the new period
        }
        before = passed >= 0 && passed < 2 * whileMicros ? current.sum() : 0;
        current.reset(); // last, so that a concurrent reader always sees one of the two counts
        sinceMicros = nowMicros;
    }
}
