package dev.penstock.redis;

import java.util.function.LongSupplier;

/**
 * A clock of one event loop that stands still while the loop is held up: by a pause for garbage collection, a stopped
 * process, a starved processor, or somebody's slow callback. So it measures how long a server takes, and not how long this
 * process takes to notice.
 *
 * <p>It needs a tick at regular intervals, on the loop itself. A tick that comes too late moves it on by a largest step and no
 * more. Not thread-safe: it belongs to the loop.
 */
final class LoopClock {
    private final LongSupplier maxStepNanos;
    private long elapsedNanos;
    private long lastTickNanos;

    /** @param maxStepNanos delays of the loop up to this length count in full, longer ones as this */
    LoopClock(LongSupplier maxStepNanos) {
        this.maxStepNanos = maxStepNanos;
    }

    /** Goes on from here after a time without ticks, which does not count. */
    void resume(long nowNanos) {
        lastTickNanos = nowNanos;
    }

    /** Moves the clock on; returns false if the loop was held up. */
    boolean tick(long nowNanos) {
        long maxStep = maxStepNanos.getAsLong();
        long sinceTick = nowNanos - lastTickNanos;
        elapsedNanos += Math.min(sinceTick, maxStep);
        lastTickNanos = nowNanos;
        return sinceTick <= maxStep;
    }

    /** The time by this clock. */
    long nanos(long nowNanos) {
        return elapsedNanos + Math.min(nowNanos - lastTickNanos, maxStepNanos.getAsLong());
    }
}
