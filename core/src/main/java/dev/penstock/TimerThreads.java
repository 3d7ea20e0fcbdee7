package dev.penstock;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads of {@link Timer#system()}. The JDK would start a thread for each task on a machine of one or two cores: thousands
 * when that many waits end together.
 */
final class TimerThreads {
    private static final int MOST = 4;
    private static final long IDLE_SECONDS = 10;

    static final ThreadPoolExecutor SHARED =
            new ThreadPoolExecutor(MOST, MOST, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread thread = new Thread(task, "penstock-timer");
                thread.setDaemon(true);
                return thread;
            });

    static {
        SHARED.allowCoreThreadTimeOut(true);
    }

    private TimerThreads() {}
}
