package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * How the service ends.
 *
 * @param delay how long it goes on as before, but says that it is not ready, so that those who send requests notice; zero for
 *     none
 * @param atMost how long requests under way may take after that
 */
public record DrainSettings(Duration delay, Duration atMost) {
    public static final Duration LONGEST = Duration.ofHours(1);

    public static final DrainSettings DEFAULT = new DrainSettings(Duration.ZERO, Duration.ofSeconds(10));

    public DrainSettings {
        Expect.that(!delay.isNegative() && delay.compareTo(LONGEST) <= 0, "drain.delay", delay, "0 to " + LONGEST);
        Expect.millis(atMost, LONGEST, "drain.at_most");
    }
}
