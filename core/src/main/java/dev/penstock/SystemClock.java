package dev.penstock;

/**
 * The machine's wall clock in microseconds, read through the monotonic timer.
 *
 * <p>Between two anchors, time only moves forward, at the pace of the monotonic timer. Once a second the anchor is
 * compared with the wall clock. If they differ by more than {@link #STEP_MICROS}, the machine's clock was set (or the
 * machine slept), and this clock follows. Thread-safe: an anchor is immutable, and if two threads re-anchor at the same
 * time, the second reuses the first one's anchor.
 */
class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock();

    /** Smaller differences are the millisecond granularity of the wall clock and ordinary slewing. */
    private static final long STEP_MICROS = 20_000;

    private static final long CHECK_EVERY_NANOS = 1_000_000_000;

    /**
     * A comparison of both clocks that took longer than this proves nothing, because the thread was suspended
     * meanwhile.
     */
    private static final long LONGEST_LOOK_NANOS = 2_000_000;

    private record Anchor(long epochMicros, long nanos) {
        long at(long nowNanos) {
            return epochMicros + Math.floorDiv(nowNanos - nanos, 1_000L);
        }
    }

    private volatile Anchor anchor;

    SystemClock() {
        this(System.currentTimeMillis(), System.nanoTime());
    }

    SystemClock(long wallMillis, long monotonicNanos) {
        this.anchor = new Anchor(wallMillis * 1_000, monotonicNanos);
    }

    /** Returns the wall clock. Tests override this. */
    long wallMillis() {
        return System.currentTimeMillis();
    }

    /** Returns the monotonic timer. Tests override this. */
    long monotonicNanos() {
        return System.nanoTime();
    }

    @Override
    public long micros() {
        Anchor from = anchor;
        long nowNanos = monotonicNanos();
        if (nowNanos - from.nanos > CHECK_EVERY_NANOS) {
            from = reanchored(from, nowNanos);
        }
        return from.at(nowNanos);
    }

    /** Returns the anchor to use from now on. One thread compares the clocks for all threads. */
    private synchronized Anchor reanchored(Anchor from, long nowNanos) {
        if (!anchor.equals(from)) {
            return anchor;
        }
        long wallMicros = wallMillis() * 1_000;
        boolean heldUp = monotonicNanos() - nowNanos > LONGEST_LOOK_NANOS;
        long evenMicros = from.at(nowNanos);
        boolean stepped = !heldUp && Math.abs(evenMicros - wallMicros) > STEP_MICROS;
        // Without a step, the new anchor stays on the microsecond grid of the old one, so that rounding loses nothing.
        Anchor next = stepped
                ? new Anchor(wallMicros, nowNanos)
                : new Anchor(evenMicros, from.nanos + (evenMicros - from.epochMicros) * 1_000);
        anchor = next;
        return next;
    }
}
