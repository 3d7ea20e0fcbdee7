package dev.penstock;

/**
 * The machine's wall clock in microseconds, read through the monotonic timer.
 *
 * <p>Between two anchors time only moves forward, at the monotonic timer's pace. Once a second the anchor is compared
 * with the wall clock; when they differ by more than {@link #STEP_MICROS} the machine's clock was set (or the machine
 * slept), and the clock follows. Thread-safe: an anchor is immutable, and a race between two re-anchorings is harmless.
 */
class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock();

    /** A difference below this is the wall clock's millisecond grain and ordinary slewing. */
    private static final long STEP_MICROS = 20_000;

    private static final long CHECK_EVERY_NANOS = 1_000_000_000;

    /** A look at both clocks that took longer than this (the thread was held up between them) tells nothing. */
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

    /** The wall clock; a method of its own so that tests can turn it. */
    long wallMillis() {
        return System.currentTimeMillis();
    }

    /** The monotonic timer; likewise. */
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

    /** The anchor to go by from here on; one thread's look at the wall clock counts for all. */
    private synchronized Anchor reanchored(Anchor from, long nowNanos) {
        if (!anchor.equals(from)) {
            return anchor;
        }
        long wallMicros = wallMillis() * 1_000;
        boolean heldUp = monotonicNanos() - nowNanos > LONGEST_LOOK_NANOS;
        long evenMicros = from.at(nowNanos);
        boolean stepped = !heldUp && Math.abs(evenMicros - wallMicros) > STEP_MICROS;
        // On the grid of the old anchor where nothing stepped, so that no microsecond is lost to rounding.
        Anchor next = stepped
                ? new Anchor(wallMicros, nowNanos)
                : new Anchor(evenMicros, from.nanos + (evenMicros - from.epochMicros) * 1_000);
        anchor = next;
        return next;
    }
}
