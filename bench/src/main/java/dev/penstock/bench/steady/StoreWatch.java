package dev.penstock.bench.steady;

import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Polls a service every 50 ms, on its own thread, to see whether it is in fallback. Thread-safe. */
final class StoreWatch implements AutoCloseable {
    /** A time in fallback, by {@code System.nanoTime()}. */
    record Span(long fromNanos, long toNanos) {}

    /** The service's report at one time. */
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
                // The service is stopping or paused, so its state is unknown at this time.
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

    /** Returns the times in fallback so far, each up to when it was last seen. */
    synchronized List<Span> spans() {
        return List.copyOf(spans);
    }

    /** Returns the time until the service was seen out of fallback and stayed out; infinite if it was not. */
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
