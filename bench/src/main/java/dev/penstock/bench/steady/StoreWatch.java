package dev.penstock.bench.steady;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Asks a service every 50 ms whether it is in fallback, on a thread of its own. Thread-safe. */
final class StoreWatch implements AutoCloseable {
    /** A time in fallback, by {@code System.nanoTime()}. */
    record Span(long fromNanos, long toNanos) {}

    /** What the service said at a moment. */
    private record Seen(long nanos, boolean isInFallback) {}

    private static final long POLL_NANOS = 50_000_000;

    private final ServiceProcess service;
    private final List<Span> spans = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();
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
        seen.add(new Seen(now, isIn));
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

    /** From a moment until the service was seen out of fallback for good; endless if it has not been seen so. */
    synchronized double secondsUntilOut(long sinceNanos) {
        double seconds = Double.POSITIVE_INFINITY;
        for (Seen each : seen) {
            if (each.nanos() >= sinceNanos && each.isInFallback()) {
                seconds = Double.POSITIVE_INFINITY;
            } else if (each.nanos() >= sinceNanos && Double.isInfinite(seconds)) {
                seconds = (each.nanos() - sinceNanos) / 1e9;
            }
        }
        return seconds;
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
