package dev.penstock.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Rejects bad input where it enters, with messages of one form: {@code burst: 0 (expected: > 0)}. */
public final class Expect {
    private Expect() {}

    /** Throws unless {@code holds}. The message contains the name, the value, and what was expected. */
    public static void that(boolean holds, String name, @Nullable Object value, String expected) {
        if (!holds) {
            throw refused(name, value, expected);
        }
    }

    public static <T> T present(@Nullable T value, String name) {
        if (value == null) {
            throw refused(name, null, "a value");
        }
        return value;
    }

    public static String text(@Nullable String value, String name) {
        if (value == null
                || value.isEmpty()) { // builds no text unless the value is wrong, because every decision runs this
            throw refused(name, value == null ? null : "\"\"", "a text that is not empty");
        }
        return value;
    }

    public static long positive(long value, String name) {
        that(value > 0, name, value, "> 0");
        return value;
    }

    public static long between(long value, long least, long most, String name) {
        that(value >= least, name, value, least == 1 ? "> 0" : ">= " + least);
        that(value <= most, name, value, "<= " + most);
        return value;
    }

    /**
     * Returns the duration in whole microseconds. Rejects durations that are zero, negative, longer than {@code
     * longest}, or not whole microseconds.
     */
    public static long micros(@Nullable Duration value, Duration longest, String name) {
        Duration duration = present(value, name);
        that(!duration.isNegative() && !duration.isZero(), name, duration, "> 0");
        that(duration.compareTo(longest) <= 0, name, duration, "<= " + longest);
        that(duration.getNano() % 1_000 == 0, name, duration, "whole microseconds");
        return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
    }

    /** Returns the duration in whole milliseconds, with the same checks as {@link #micros}. */
    public static long millis(@Nullable Duration value, Duration longest, String name) {
        long micros = micros(value, longest, name);
        that(micros % 1_000 == 0, name, value, "whole milliseconds");
        return micros / 1_000;
    }

    public static IllegalArgumentException refused(String name, @Nullable Object value, String expected) {
        return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
}
