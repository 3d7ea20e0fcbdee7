package dev.penstock;

import java.time.Duration;

/**
 * Runs tasks later without holding a thread meanwhile. It schedules the waits of {@link Limiter#await} and {@link
 * Limiter#acquireWithin}.
 *
 * <p>Implementations are thread-safe. The one used in tests is {@code ManualClock} in the testkit.
 */
@FunctionalInterface
public interface Timer {
    void after(Duration delay, Runnable task);

    /** The timer of this process: one thread that waits, and at most four that run tasks, all of them daemons. */
    static Timer system() {
        return SystemTimer.INSTANCE;
    }
}
