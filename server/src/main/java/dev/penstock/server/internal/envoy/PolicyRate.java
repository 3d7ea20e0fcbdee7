package dev.penstock.server.internal.envoy;

import dev.penstock.LimitStatus;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.policy.envoy.EnvoyUnit;
import dev.penstock.server.internal.fields.QuotaWindow;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse.RateLimit;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * Converts a policy's limit to Envoy's form: the capacity, and the unit of time in which it is given out. The unit is
 * unknown if Envoy has no such unit, as for a bucket whose burst is smaller than its rate.
 */
final class PolicyRate {
    private static final long MOST = 0xffff_ffffL;

    private PolicyRate() {}

    static RateLimit of(LimitStatus status) {
        return RateLimit.newBuilder()
                .setName(status.policy())
                .setRequestsPerUnit((int) Math.min(MOST, status.capacity()))
                .setUnitValue(unit(status.limit().algorithm()))
                .build();
    }

    private static int unit(Algorithm algorithm) {
        if (algorithm instanceof CalendarWindow window) {
            return switch (window.period()) {
                case DAY -> EnvoyUnit.DAY.number();
                case WEEK -> EnvoyUnit.WEEK.number();
                case MONTH -> EnvoyUnit.MONTH.number();
                case YEAR -> EnvoyUnit.YEAR.number();
            };
        }
        QuotaWindow window = QuotaWindow.of(algorithm);
        for (EnvoyUnit unit : EnvoyUnit.values()) {
            if (window != null && unit.length().equals(Duration.of(window.micros(), ChronoUnit.MICROS))) {
                return unit.number();
            }
        }
        return RateLimit.Unit.UNKNOWN_VALUE;
    }
}
