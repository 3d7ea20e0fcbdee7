package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * How the service ends.
 *
 * @param delay how long it goes on as before, but says that it is not ready, so that those who send requests notice; zero for
 *     none
 * @param atMost how long requests under way may take after that; zero to end at once, whatever is under way
 */
public record DrainSettings(Duration delay, Duration atMost) {
    public static final Duration LONGEST = Duration.ofHours(1);

    public static final DrainSettings DEFAULT = new DrainSettings(Duration.ZERO, Duration.ofSeconds(10));

    public DrainSettings {
        expectTime("drain.delay", delay);
        expectTime("drain.at_most", atMost);
    }

    private static void expectTime(String name, Duration time) {
        Expect.that(!time.isNegative() && time.compareTo(LONGEST) <= 0, name, time, "0 to " + LONGEST);
    }
}
