package dev.penstock.internal;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rounding of {@code Retry-After} and of all other times in header fields: whole seconds, always rounded up, so
 * that a client that obeys never comes too early.
 */
public final class RetryAfterSeconds {
    /**
     * The largest number of seconds that every HTTP client must understand (RFC 9111, section 1.2.2). It represents
     * "never".
     */
    public static final long NEVER = Integer.MAX_VALUE;

    private RetryAfterSeconds() {}

    /**
     * Returns the seconds of a {@code Retry-After}. They are at least 1, because 0 would make the client come back at
     * once.
     */
    public static long ofRetry(@Nullable Duration wait) {
        return wait == null ? NEVER : Math.max(1, roundedUp(wait));
    }

    /** Returns the duration in seconds, rounded up. */
    public static long roundedUp(Duration duration) {
        return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
    }

    /** Returns the moment in seconds since 1970, rounded up. */
    public static long roundedUp(Instant moment) {
        return moment.getEpochSecond() + (moment.getNano() > 0 ? 1 : 0);
    }
}
