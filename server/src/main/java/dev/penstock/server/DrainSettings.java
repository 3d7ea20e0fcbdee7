package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * How the service shuts down.
 *
 * @param delay how long it keeps serving while it reports not ready, so that load balancers notice; zero for no delay
 * @param atMost how long requests in progress may take after that; zero ends them at once
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
