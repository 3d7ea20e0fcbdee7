package dev.penstock.spi;

import dev.penstock.Clock;
import dev.penstock.Limiter;
import dev.penstock.internal.SystemScheduler;
import java.time.Duration;

/**
 * Runs tasks later without blocking a thread meanwhile. It schedules the waits of {@link Limiter#await} and {@link
 * Limiter#acquireWithin}.
 *
 * <p>Implementations are thread-safe. For tests, use {@code ManualClock} of the testkit.
 */
@FunctionalInterface
public interface Scheduler {
    /** Runs the task after the delay. */
    void after(Duration delay, Runnable task);

    /**
     * Returns the time by which delays are counted, in microseconds since an arbitrary moment. It is never set back, so
     * waits are measured by it and not by a {@link Clock}, which may be set back. The default is the machine's
     * monotonic timer.
     */
    default long elapsedMicros() {
        return SystemScheduler.INSTANCE.elapsedMicros();
    }

    /**
     * Returns the scheduler of this process. One thread waits for the next task and four run tasks; all are daemons.
     * While tasks block those four, more threads are added, up to 256. Callers' code that continues with an answer of a
     * {@link Limiter} runs on a separate set of up to 256 threads.
     */
    static Scheduler system() {
        return SystemScheduler.INSTANCE;
    }
}
