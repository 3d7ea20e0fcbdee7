package dev.penstock.redis;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Tries to connect once a second until that succeeds or nobody wants it any more, on one thread of its own. Thread-safe. */
final class ConnectLoop {
    private static final Duration RETRY_EVERY = Duration.ofSeconds(1);

    private final CountDownLatch tried = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** @param attempt whether it is connected now */
    void start(BooleanSupplier attempt) {
        Thread thread = new Thread(() -> run(attempt), "penstock-redis-connecting");
        thread.setDaemon(true);
        thread.start();
    }

    private void run(BooleanSupplier attempt) {
        try {
            while (!attempt.getAsBoolean()) {
                tried.countDown();
                if (stopped.await(RETRY_EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                    return;
                }
            }
        } catch (InterruptedException e) { // by nobody: the thread is its own
            Thread.currentThread().interrupt();
        } finally {
            tried.countDown();
        }
    }

    /** Waits for what becomes of the first attempt, but not for longer than that. */
    void awaitFirst(Duration atMost) {
        try {
            boolean unused = tried.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) { // it goes on in the background
            Thread.currentThread().interrupt();
        }
    }

    void stop() {
        stopped.countDown();
    }

    boolean isStopped() {
        return stopped.getCount() == 0;
    }
}
