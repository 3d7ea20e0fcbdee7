package dev.penstock.redis;

/**
 * A clock of one event loop that stands still while the loop is held up: by a pause for garbage collection, a stopped
 * process, a starved processor, or somebody's slow callback. So it measures how long a server takes, and not how long this
 * process takes to notice.
 *
 * <p>It needs a tick at regular intervals, on the loop itself. A tick that comes too late moves it on by no more than
 * {@value #MAX_TICKS} intervals. Not thread-safe: it belongs to the loop.
 */
final class LoopClock {
    private static final int MAX_TICKS = 2;

    private final long maxStepNanos;
    private long elapsedNanos;
    private long lastTickNanos;

    LoopClock(long tickNanos) {
        this.maxStepNanos = MAX_TICKS * tickNanos;
    }

    /** Goes on from here after a time without ticks, which does not count. */
    void resume(long nowNanos) {
        lastTickNanos = nowNanos;
    }

    /** Moves the clock on; returns false if the loop was held up. */
    boolean tick(long nowNanos) {
        long sinceTick = nowNanos - lastTickNanos;
        elapsedNanos += Math.min(sinceTick, maxStepNanos);
        lastTickNanos = nowNanos;
        return sinceTick <= maxStepNanos;
    }

    /** The time by this clock. */
    long nanos(long nowNanos) {
        return elapsedNanos + Math.min(nowNanos - lastTickNanos, maxStepNanos);
    }
}
