package dev.penstock.policy.envoy;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The unit of time of a rule. It has a fixed length and is counted from the epoch, never by the calendar. */
public enum EnvoyUnit {
    SECOND(1, Duration.ofSeconds(1)),
    MINUTE(2, Duration.ofMinutes(1)),
    HOUR(3, Duration.ofHours(1)),
    DAY(4, Duration.ofDays(1)),
    WEEK(7, Duration.ofDays(7)),
    MONTH(5, Duration.ofDays(30)),
    YEAR(6, Duration.ofDays(365));

    private final int number;
    private final Duration length;

    EnvoyUnit(int number, Duration length) {
        this.number = number;
        this.length = length;
    }

    /** Returns the unit with this name, ignoring case; null if there is none. */
    static @Nullable EnvoyUnit named(String name) {
        for (EnvoyUnit unit : values()) {
            if (unit.word().equals(name.toLowerCase(Locale.ROOT))) {
                return unit;
            }
        }
        return null;
    }

    /** Returns the unit as files spell it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the unit's number in {@code RateLimitResponse.RateLimit.Unit}. */
    public int number() {
        return number;
    }

    /** Returns the length of one unit. A month has 30 days and a year has 365. */
    public Duration length() {
        return length;
    }
}
