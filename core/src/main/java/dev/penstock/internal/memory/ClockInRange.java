package dev.penstock.internal.memory;

import dev.penstock.Clock;

/** A clock that throws if a reading is outside the range of the algorithms: from 1970 on, and exact below 2^53. */
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
                    "clock: " + micros + " microseconds (expected: from 0 (1970) to 2^53 (2255))");
        }
        return micros;
    }
}
