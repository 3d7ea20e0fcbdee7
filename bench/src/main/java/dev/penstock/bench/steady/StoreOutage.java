package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Wanted;
import dev.penstock.bench.server.Wire;
import dev.penstock.testkit.server.RedisServer;
import java.util.LinkedHashMap;
import java.util.Map;

/** Takes Redis away for five seconds, and measures how soon the service notices that it is gone and that it is back. */
final class StoreOutage {
    private static final int PER_SECOND = 2_000;
    private static final long BEFORE_MILLIS = 3_000;
    private static final long AWAY_MILLIS = 5_000;
    private static final long AFTER_MILLIS = 6_000;
    private static final double ENTERED_WITHIN_SECONDS = 1;
    private static final double BACK_WITHIN_SECONDS = 3;

    private static final String ENTERED = "seconds_to_fallback";
    private static final String BACK = "seconds_to_return";

    private StoreOutage() {}

    /** Pauses the process (SIGSTOP), so that connections stay open but nothing answers. */
    static SteadyResult stopped(String name, SteadyRig rig) throws BenchFailure {
        RedisServer redis = rig.redis();
        return outage(name, rig, redis::pause, redis::resume);
    }

    /** Kills the process, so that connections break, and then starts a new one. */
    static SteadyResult killed(String name, SteadyRig rig) throws BenchFailure {
        RedisServer redis = rig.redis();
        return outage(name, rig, redis::kill, redis::restart);
    }

    private static SteadyResult outage(String name, SteadyRig rig, Runnable begin, Runnable end) throws BenchFailure {
        Map<String, Wanted> wanted = new LinkedHashMap<>();
        wanted.put(SteadyResult.DENIED, Wanted.atMost(0));
        wanted.put(SteadyResult.FAILED, Wanted.atMost(0));
        wanted.put(SteadyResult.OVERLOADED, Wanted.atMost(0));
        wanted.put(ENTERED, Wanted.atMost(ENTERED_WITHIN_SECONDS));
        wanted.put(BACK, Wanted.atMost(BACK_WITHIN_SECONDS));
        double seconds = (BEFORE_MILLIS + AWAY_MILLIS + AFTER_MILLIS) / 1e3;
        LoadPlan plan = new LoadPlan.Open(RateShape.constant(PER_SECOND, seconds));
        try (ServiceProcess service = rig.start()) {
            return ServiceLoad.run(
                    name, rig, service, SteadyRig.template(Wire.HTTP2), plan, wanted, (watch, figures) -> {
                        ServiceLoad.pauseMillis(BEFORE_MILLIS);
                        long goneNanos = System.nanoTime();
                        begin.run();
                        ServiceLoad.pauseMillis(AWAY_MILLIS);
                        end.run();
                        long backNanos = System.nanoTime();
                        ServiceLoad.pauseMillis(AFTER_MILLIS);
                        figures.put(ENTERED, secondsToFallback(watch, goneNanos, backNanos));
                        figures.put(BACK, watch.secondsUntilOut(backNanos));
                    });
        }
    }

    /**
     * Returns the time from the start of the outage until the service was first seen in fallback: infinite if it never
     * was, NaN if it already was in fallback before.
     */
    private static double secondsToFallback(StoreWatch watch, long goneNanos, long backNanos) {
        if (watch.spans().stream().anyMatch(span -> span.fromNanos() < goneNanos && span.toNanos() > goneNanos)) {
            return Double.NaN;
        }
        return watch.spans().stream()
                .filter(span -> span.fromNanos() >= goneNanos && span.fromNanos() < backNanos)
                .mapToDouble(span -> (span.fromNanos() - goneNanos) / 1e9)
                .findFirst()
                .orElse(Double.POSITIVE_INFINITY);
    }
}
