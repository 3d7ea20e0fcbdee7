package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * Bounds on the permits that callers hold.
 *
 * @param longestHold the maximum time for which a caller may hold a permit without renewing it
 */
public record PermitSettings(Duration longestHold) {
    public static final Duration LONGEST = Duration.ofDays(1);

    public static final PermitSettings DEFAULT = new PermitSettings(Duration.ofHours(1));

    public PermitSettings {
        Expect.millis(longestHold, LONGEST, "permits.longest_hold");
    }
}
