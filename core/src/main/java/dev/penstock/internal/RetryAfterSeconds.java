package dev.penstock.internal;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rounding of {@code Retry-After} and of every other time in a header field: whole seconds, always rounded up, so that a
 * client that obeys never comes too early.
 */
public final class RetryAfterSeconds {
    /** The most seconds that every HTTP client has to understand (RFC 9111, section 1.2.2). Stands for "never". */
    public static final long NEVER = Integer.MAX_VALUE;

    private RetryAfterSeconds() {}

    /** The seconds of a {@code Retry-After}: at least 1, because 0 would ask the client to come back at once. */
    public static long ofRetry(@Nullable Duration wait) {
        return wait == null ? NEVER : Math.max(1, roundedUp(wait));
    }

    /** The whole seconds that are not shorter than the duration. */
    public static long roundedUp(Duration duration) {
        return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
    }

    /** The first whole second since 1970 that is not before the moment. */
    public static long roundedUp(Instant moment) {
        return moment.getEpochSecond() + (moment.getNano() > 0 ? 1 : 0);
    }
}
