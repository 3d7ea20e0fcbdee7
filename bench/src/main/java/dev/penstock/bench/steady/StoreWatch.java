package dev.penstock.bench.steady;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Asks a service every 50 ms whether it is in fallback, on a thread of its own. Thread-safe. */
final class StoreWatch implements AutoCloseable {
    /** A time in fallback, by {@code System.nanoTime()}. */
    record Span(long fromNanos, long toNanos) {}

    private static final long POLL_NANOS = 50_000_000;

    private final ServiceProcess service;
    private final List<Span> spans = new ArrayList<>();
    private final Thread thread = new Thread(this::run, "store-watch");
    private volatile boolean isClosed;

    StoreWatch(ServiceProcess service) {
        this.service = service;
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        boolean wasIn = false;
        long next = System.nanoTime();
        while (!isClosed) {
            try {
                boolean isIn = service.isInFallback();
                note(isIn, wasIn);
                wasIn = isIn;
            } catch (UncheckedIOException e) {
                // It ends, or it is stopped: nothing is known of this moment.
            }
            next = Math.max(next + POLL_NANOS, System.nanoTime());
            LockSupport.parkNanos(next - System.nanoTime());
        }
    }

    private synchronized void note(boolean isIn, boolean wasIn) {
        long now = System.nanoTime();
        if (isIn) {
            long from = wasIn ? spans.remove(spans.size() - 1).fromNanos() : now;
            spans.add(new Span(from, now));
        } else if (wasIn) {
            spans.add(new Span(spans.remove(spans.size() - 1).fromNanos(), now));
        }
    }

    /** The times in fallback so far, each up to when it was last seen. */
    synchronized List<Span> spans() {
        return List.copyOf(spans);
    }

    @Override
    public void close() {
        isClosed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
