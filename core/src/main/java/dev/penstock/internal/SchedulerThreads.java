package dev.penstock.internal;

import dev.penstock.spi.Scheduler;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Four daemon threads of {@link Scheduler#system()} that run tasks. More threads are added only while tasks block them.
 * On a machine with one or two cores, the JDK would start a thread for each task, which means thousands if that many
 * waits end together.
 *
 * <p>If no waiting task was started for 50 ms, the threads are assumed to be blocked, and their number doubles, up to
 * {@value #MOST}. Idle threads end after ten seconds. Thread-safe.
 */
final class SchedulerThreads {
    static final int USUAL = 4;
    static final int MOST = 256;

    private static final long IDLE_SECONDS = 10;
    private static final Duration STUCK_AFTER = Duration.ofMillis(50);

    /** A thread that knows which pool it belongs to. */
    private static final class Worker extends Thread {
        private final SchedulerThreads owner;

        Worker(SchedulerThreads owner, Runnable work, String name) {
            super(work, name);
            this.owner = owner;
            setDaemon(true);
        }
    }

    private final ThreadPoolExecutor pool;
    private final ScheduledExecutorService timer;
    private final AtomicBoolean isWatched = new AtomicBoolean();

    /** @param timer runs the checks for blocked threads */
    SchedulerThreads(String name, ScheduledExecutorService timer) {
        this.timer = timer;
        this.pool = new ThreadPoolExecutor(
                USUAL,
                USUAL,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                work -> new Worker(this, work, name));
        pool.setMaximumPoolSize(MOST); // the unbounded queue never triggers this, but grow() does
        pool.allowCoreThreadTimeOut(true);
    }

    void execute(Runnable task) {
        try {
            pool.execute(task);
        } catch (OutOfMemoryError e) { // no thread can be started, so run the task here
            task.run();
            return;
        }
        Runnable next = pool.getQueue().peek();
        if (next != null && isWatched.compareAndSet(false, true)) {
            watch(next);
        }
    }

    /** Returns whether the calling thread is one of these threads. */
    boolean areCurrent() {
        return Thread.currentThread() instanceof Worker worker && worker.owner == this;
    }

    private void watch(Runnable next) {
        try {
            var unused = timer.schedule(() -> look(next), STUCK_AFTER.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RuntimeException | Error e) { // the next task starts a new watch
            isWatched.set(false);
            throw e;
        }
    }

    /** @param before the task that was at the head of the queue at the last check */
    private void look(Runnable before) {
        Runnable next = pool.getQueue().peek();
        if (next != null) {
            try {
                if (next == before) {
                    grow();
                }
            } finally {
                watch(next);
            }
            return;
        }
        if (pool.getActiveCount() <= USUAL) {
            pool.setCorePoolSize(USUAL);
        }
        isWatched.set(false);
        @Nullable Runnable missed = pool.getQueue().peek();
        if (missed != null && isWatched.compareAndSet(false, true)) {
            watch(missed);
        }
    }

    private void grow() {
        pool.setCorePoolSize(Math.min(MOST, Math.max(USUAL, 2 * pool.getPoolSize())));
    }
}
