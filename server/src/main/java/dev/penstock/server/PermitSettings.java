package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * What callers may hold by permits.
 *
 * @param longestHold the longest time for which a caller may hold a permit that it does not renew
 */
public record PermitSettings(Duration longestHold) {
    public static final Duration LONGEST = Duration.ofDays(1);

    public static final PermitSettings DEFAULT = new PermitSettings(Duration.ofHours(1));

    public PermitSettings {
        Expect.millis(longestHold, LONGEST, "permits.longest_hold");
    }
}
