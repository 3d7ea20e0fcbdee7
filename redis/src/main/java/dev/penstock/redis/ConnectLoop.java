package dev.penstock.redis;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Tries to connect once a second until that succeeds or the loop is stopped, on a separate thread. Thread-safe. */
final class ConnectLoop {
    private static final Duration RETRY_EVERY = Duration.ofSeconds(1);

    private final CountDownLatch tried = new CountDownLatch(1);
    private final CountDownLatch stopped = new CountDownLatch(1);

    /** @param attempt tries to connect and returns whether the engine is connected */
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
        } catch (InterruptedException e) { // cannot happen, because no other code has this thread
            Thread.currentThread().interrupt();
        } finally {
            tried.countDown();
        }
    }

    /** Waits until the first attempt ends, for at most this time. */
    void awaitFirst(Duration atMost) {
        try {
            boolean unused = tried.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) { // the attempt continues in the background
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
