package dev.penstock.bench.core;

import dev.penstock.bench.load.LoadRate;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A lower bound for the cost of a limit in the process: one number per key, the time at which its bucket is full again,
 * updated with a compare-and-set. It only answers yes or no, has no memory bound and rounds its rate. It is not a
 * competitor, but shows how much time the others could save at most. Thread-safe.
 */
final class BareMap {
    private final ConcurrentMap<String, AtomicLong> fullAt = new ConcurrentHashMap<>();
    private final long nanosPerPermit;
    private final long periodNanos;

    BareMap(LoadRate rate) {
        periodNanos = rate.period().toNanos();
        nanosPerPermit = periodNanos / rate.permits();
    }

    boolean decide(String key) {
        AtomicLong state = fullAt.get(key);
        if (state == null) {
            state = fullAt.computeIfAbsent(key, each -> new AtomicLong(System.nanoTime()));
        }
        long now = System.nanoTime();
        while (true) {
            long seen = state.get();
            long next = (seen - now < 0 ? now : seen) + nanosPerPermit;
            if (next - now > periodNanos) {
                return false;
            }
            if (state.compareAndSet(seen, next)) {
                return true;
            }
        }
    }
}
