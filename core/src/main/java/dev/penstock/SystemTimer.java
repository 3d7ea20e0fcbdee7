package dev.penstock;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * {@link Timer#system()}: one thread waits for the next task to be due and hands it to the few {@link TimerThreads}, which run
 * it. A slow or hung task occupies one of the four threads; the others keep running tasks. Threads that have nothing to do end after ten seconds.
 */
final class SystemTimer implements Timer {
    static final SystemTimer INSTANCE = new SystemTimer();

    private static final long IDLE_SECONDS = 10;

    private final ScheduledThreadPoolExecutor due = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "penstock-timer-due");
        thread.setDaemon(true);
        return thread;
    });

    private SystemTimer() {
        due.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        due.allowCoreThreadTimeOut(true);
    }

    @Override
    public void after(Duration delay, Runnable task) {
        if (delay.isZero() || delay.isNegative()) {
            TimerThreads.SHARED.execute(task);
        } else {
            var unused = due.schedule(() -> TimerThreads.SHARED.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }
}
