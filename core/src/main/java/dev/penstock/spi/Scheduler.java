package dev.penstock.spi;

import dev.penstock.Limiter;
import dev.penstock.internal.SystemScheduler;
import java.time.Duration;

/**
 * Runs tasks later without holding a thread meanwhile. It schedules the waits of {@link Limiter#await} and {@link
 * Limiter#acquireWithin}.
 *
 * <p>Implementations are thread-safe. The one used in tests is {@code ManualClock} in the testkit.
 */
@FunctionalInterface
public interface Scheduler {
    void after(Duration delay, Runnable task);

    /** The scheduler of this process: one thread that waits, and at most four that run tasks, all of them daemons. */
    static Scheduler system() {
        return SystemScheduler.INSTANCE;
    }
}
