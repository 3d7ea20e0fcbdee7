package dev.penstock.internal;

import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * {@link Scheduler#system()}: one thread waits for the next task to be due and hands it to the few {@link SchedulerThreads}, which run
 * it. A slow or hung task occupies one of the four threads; the others keep running tasks. Threads that have nothing to do end after ten seconds.
 */
public final class SystemScheduler implements Scheduler {
    public static final SystemScheduler INSTANCE = new SystemScheduler();

    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor due = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "penstock-scheduler-due");
        thread.setDaemon(true);
        return thread;
    });

    private SystemScheduler() {
        due.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        due.allowCoreThreadTimeOut(true);
    }

    @Override
    public void after(Duration delay, Runnable task) {
        if (delay.isZero() || delay.isNegative()) {
            SchedulerThreads.SHARED.execute(task);
        } else {
            var unused =
                    due.schedule(() -> SchedulerThreads.SHARED.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }
}
