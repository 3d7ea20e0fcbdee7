package dev.penstock.server.internal.fields;

import java.time.Duration;
import java.time.Instant;

/** Times as header fields tell them: in whole seconds, always rounded up, so that nobody comes too early. */
public final class RetryAfterSeconds {
    private RetryAfterSeconds() {}

    public static long of(Duration duration) {
        return duration.getSeconds() + (duration.getNano() > 0 ? 1 : 0);
    }

    /** The first whole second since 1970 that is not before the moment. */
    static long of(Instant moment) {
        return moment.getEpochSecond() + (moment.getNano() > 0 ? 1 : 0);
    }
}
