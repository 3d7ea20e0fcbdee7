package dev.penstock.internal;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Refuses bad input where it enters, in one form: {@code burst: 0 (expected: > 0)}. */
public final class Expect {
    private Expect() {}

    /** Throws unless {@code holds}; the message names the thing, its value and what was expected. */
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
                || value.isEmpty()) { // on the way of every decision: nothing is put together unless it is wrong
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

    /** The duration in whole microseconds; refuses zero, negative, finer and absurdly long ones. */
    public static long micros(@Nullable Duration value, Duration longest, String name) {
        Duration duration = present(value, name);
        that(!duration.isNegative() && !duration.isZero(), name, duration, "> 0");
        that(duration.compareTo(longest) <= 0, name, duration, "<= " + longest);
        that(duration.getNano() % 1_000 == 0, name, duration, "whole microseconds");
        return duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
    }

    /** The duration in whole milliseconds, under the same bounds. */
    public static long millis(@Nullable Duration value, Duration longest, String name) {
        long micros = micros(value, longest, name);
        that(micros % 1_000 == 0, name, value, "whole milliseconds");
        return micros / 1_000;
    }

    public static IllegalArgumentException refused(String name, @Nullable Object value, String expected) {
        return new IllegalArgumentException(name + ": " + value + " (expected: " + expected + ")");
    }
}
