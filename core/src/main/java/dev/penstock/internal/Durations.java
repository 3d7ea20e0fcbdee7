package dev.penstock.internal;

import java.time.Duration;

/** Conversions of durations. */
public final class Durations {
    private static final String[] UNITS = {"us", "ms", "s", "m", "h", "d"};
    private static final long[] FACTORS = {1_000, 1_000, 60, 60, 24};

    private Durations() {}

    /** Returns the whole microseconds of a duration. */
    public static long micros(Duration duration) {
        return duration.toSeconds() * 1_000_000 + duration.toNanosPart() / 1_000;
    }

    /**
     * Returns a duration of whole microseconds as a whole number of the largest unit that is exact: {@code 90s}, {@code
     * 1d}.
     */
    public static String text(Duration duration) {
        long number = micros(duration);
        int unit = 0;
        while (unit < FACTORS.length && number % FACTORS[unit] == 0 && number > 0) {
            number /= FACTORS[unit];
            unit++;
        }
        return number + UNITS[unit];
    }
}
