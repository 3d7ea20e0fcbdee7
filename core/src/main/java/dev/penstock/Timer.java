package dev.penstock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Runs something later without holding a thread meanwhile; what {@link Limiter#await} and {@link Limiter#acquireWithin}
 * wait with.
 *
 * <p>Implementations are thread-safe. The one used in tests is {@code ManualClock} in the testkit.
 */
@FunctionalInterface
public interface Timer {
    void after(Duration delay, Runnable task);

    /** The JDK's own shared timer; tasks run on a few threads of this class. */
    static Timer system() {
        return (delay, task) -> CompletableFuture.delayedExecutor(
                        delay.toNanos(), TimeUnit.NANOSECONDS, TimerThreads.SHARED)
                .execute(task);
    }
}
