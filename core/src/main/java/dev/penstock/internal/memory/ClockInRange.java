package dev.penstock.internal.memory;

import dev.penstock.Clock;

/** A clock whose every reading is one that the algorithms can count with: from 1970 on, and exact below 2^53. */
final class ClockInRange implements Clock {
    private static final long MOST_MICROS = 1L << 53;

    private final Clock source;

    ClockInRange(Clock source) {
        this.source = source;
    }

    @Override
    public long micros() {
        long micros = source.micros();
        if (micros < 0 || micros >= MOST_MICROS) {
            throw new IllegalStateException(
                    "clock: " + micros + " microseconds (expected: from 0, in 1970, to 2^53, in 2255)");
        }
        return micros;
    }
}
