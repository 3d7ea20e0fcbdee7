package dev.penstock.server;

import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * When a service is ready after its start.
 *
 * @param target the 99th percentile of latency, per protocol, at which the warm-up ends
 * @param atMost the maximum duration of the warm-up; zero for no warm-up
 */
public record WarmUpSettings(Duration target, Duration atMost) {
    public static final Duration LONGEST = Duration.ofMinutes(10);

    public static final WarmUpSettings DEFAULT = new WarmUpSettings(Duration.ofMillis(5), Duration.ofSeconds(10));

    /** No warm-up: the service is ready at once. */
    public static final WarmUpSettings OFF = new WarmUpSettings(DEFAULT.target, Duration.ZERO);

    public WarmUpSettings {
        Expect.millis(target, LONGEST, "warm_up.target");
        Expect.that(
                !atMost.isNegative() && atMost.compareTo(LONGEST) <= 0, "warm_up.at_most", atMost, "0 to " + LONGEST);
    }

    public boolean isOn() {
        return !atMost.isZero();
    }
}
