package dev.penstock.redis;

import java.util.function.LongSupplier;

/**
 * The clock of one event loop. It does not count the time during which the loop is delayed by garbage collection, a
 * suspended process, a busy processor, or a slow callback. So it measures how long a server takes, and not how long
 * this process takes to notice the reply.
 *
 * <p>It needs a tick at regular intervals, on the loop itself. A tick that comes too late advances it by at most the
 * largest step. Not thread-safe: it belongs to the loop.
 */
final class LoopClock {
    private final LongSupplier maxStepNanos;
    private long elapsedNanos;
    private long lastTickNanos;

    /** @param maxStepNanos delays of the loop up to this length count in full; longer ones count as this length */
    LoopClock(LongSupplier maxStepNanos) {
        this.maxStepNanos = maxStepNanos;
    }

    /** Continues after a time without ticks, which is not counted. */
    void resume(long nowNanos) {
        lastTickNanos = nowNanos;
    }

    /** Advances the clock. Returns false if the loop was delayed. */
    boolean tick(long nowNanos) {
        long maxStep = maxStepNanos.getAsLong();
        long sinceTick = nowNanos - lastTickNanos;
        elapsedNanos += Math.min(sinceTick, maxStep);
        lastTickNanos = nowNanos;
        return sinceTick <= maxStep;
    }

    /** Returns the time of this clock. */
    long nanos(long nowNanos) {
        return elapsedNanos + Math.min(nowNanos - lastTickNanos, maxStepNanos.getAsLong());
    }
}
