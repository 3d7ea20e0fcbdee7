package dev.penstock.policy.envoy;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The time that a rule's count is for: a fixed length, counted from the epoch, never by the calendar. */
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

    /** The unit of that name in any case; null where there is none. */
    static @Nullable EnvoyUnit named(String name) {
        for (EnvoyUnit unit : values()) {
            if (unit.word().equals(name.toLowerCase(Locale.ROOT))) {
                return unit;
            }
        }
        return null;
    }

    /** As it stands in files. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Its number in {@code RateLimitResponse.RateLimit.Unit}. */
    public int number() {
        return number;
    }

    public Duration length() {
        return length;
    }
}
