package dev.penstock.internal;

import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The implementation of {@link Scheduler#system()}. One thread waits for the next due task and hands it to the few
 * {@link SchedulerThreads}, which run it. A slow or hung task occupies one of them, and the others keep running tasks.
 * Idle threads end after ten seconds.
 *
 * <p>Callers' code that continues with an answer may block, even until another wait ends. It therefore runs on
 * {@linkplain #runCallback separate threads}, so that timers still run no matter how many callers block.
 */
public final class SystemScheduler implements Scheduler {
    public static final SystemScheduler INSTANCE = new SystemScheduler();

    private static final long IDLE_SECONDS = 10;

    private final long originNanos = System.nanoTime();
    private final ScheduledThreadPoolExecutor due = new ScheduledThreadPoolExecutor(1, task -> {
        Thread thread = new Thread(task, "penstock-scheduler-due");
        thread.setDaemon(true);
        return thread;
    });
    private final SchedulerThreads tasks = new SchedulerThreads("penstock-scheduler", due);
    private final SchedulerThreads callbacks = new SchedulerThreads("penstock-callbacks", due);

    private SystemScheduler() {
        due.setKeepAliveTime(IDLE_SECONDS, TimeUnit.SECONDS);
        due.allowCoreThreadTimeOut(true);
    }

    @Override
    public long elapsedMicros() {
        return (System.nanoTime() - originNanos) / 1_000;
    }

    @Override
    public void after(Duration delay, Runnable task) {
        if (delay.isZero() || delay.isNegative()) {
            tasks.execute(task);
        } else {
            var unused = due.schedule(() -> tasks.execute(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    /** Runs callers' code at once, but never on a thread that runs this scheduler's tasks. */
    public void runCallback(Runnable callersCode) {
        if (tasks.areCurrent()) {
            callbacks.execute(callersCode);
        } else {
            callersCode.run();
        }
    }
}
