package dev.penstock.internal;

import dev.penstock.spi.Scheduler;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of {@link Scheduler#system()}. The JDK would start a thread for each task on a machine of one or two cores: thousands
 * when that many waits end together.
 */
final class SchedulerThreads {
    private static final int MOST = 4;
    private static final long IDLE_SECONDS = 10;

    static final ThreadPoolExecutor SHARED =
            new ThreadPoolExecutor(MOST, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread thread = new Thread(task, "penstock-scheduler");
                thread.setDaemon(true);
                return thread;
            });

    static {
        SHARED.allowCoreThreadTimeOut(true);
    }

    private SchedulerThreads() {}
}
