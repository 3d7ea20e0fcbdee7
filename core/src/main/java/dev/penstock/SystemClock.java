package dev.penstock;

import java.util.function.LongSupplier;

/**
 * The machine's wall clock in microseconds, read through the monotonic timer.
 *
 * <p>Between two anchors time only moves forward, at the monotonic timer's pace. Once a second the anchor is compared
 * with the wall clock; when they differ by more than {@link #STEP_MICROS} the machine's clock was set (or the machine
 * slept), and the clock follows. Thread-safe: an anchor is immutable, and a race between two re-anchorings is harmless.
 */
final class SystemClock implements Clock {
    static final SystemClock INSTANCE = new SystemClock(System::currentTimeMillis, System::nanoTime);

    /** A difference below this is the wall clock's millisecond grain and ordinary slewing. */
    private static final long STEP_MICROS = 20_000;

    private static final long CHECK_EVERY_NANOS = 1_000_000_000;

    private record Anchor(long epochMicros, long nanos) {}

    private final LongSupplier wallMillis;
    private final LongSupplier monotonicNanos;
    private volatile Anchor anchor;

    SystemClock(LongSupplier wallMillis, LongSupplier monotonicNanos) {
        this.wallMillis = wallMillis;
        this.monotonicNanos = monotonicNanos;
        this.anchor = anchorHere();
    }

    @Override
    public long micros() {
        Anchor from = anchor;
        long elapsedNanos = monotonicNanos.getAsLong() - from.nanos;
        if (elapsedNanos > CHECK_EVERY_NANOS) {
            return reanchor(from);
        }
        return from.epochMicros + elapsedNanos / 1_000;
    }

    private long reanchor(Anchor from) {
        Anchor wall = anchorHere();
        long evenMicros = from.epochMicros + (wall.nanos - from.nanos) / 1_000;
        boolean stepped = Math.abs(evenMicros - wall.epochMicros) > STEP_MICROS;
        Anchor next = stepped ? wall : new Anchor(evenMicros, wall.nanos);
        anchor = next;
        return next.epochMicros;
    }

    private Anchor anchorHere() {
        return new Anchor(wallMillis.getAsLong() * 1_000, monotonicNanos.getAsLong());
    }
}
