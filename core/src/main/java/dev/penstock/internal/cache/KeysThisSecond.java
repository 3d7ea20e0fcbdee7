package dev.penstock.internal.cache;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the new keys of one policy in the current whole second of the clock. Thread-safe. */
public final class KeysThisSecond {
    private record Second(long number, AtomicLong keys) {}

    private volatile Second current = new Second(Long.MIN_VALUE, new AtomicLong());

    /** Returns the number of new keys in that second so far. */
    public long in(long second) {
        Second known = current;
        return known.number == second ? known.keys.get() : 0;
    }

    public void add(long second) {
        Second known = current;
        (known.number == second ? known : begin(second)).keys.incrementAndGet();
    }

    private synchronized Second begin(long second) {
        if (current.number != second) {
            current = new Second(second, new AtomicLong());
        }
        return current;
    }
}
