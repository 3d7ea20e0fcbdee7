package dev.penstock.bench.soak.hostile;

import dev.penstock.bench.steady.MetricsText;
import dev.penstock.bench.steady.ServiceProcess;

/**
 * The state of a service at one time.
 *
 * @param fallbackEntries how often failure modes have taken over from Redis since the start of the node
 * @param fallbackSeconds the total time during which failure modes decided
 * @param overloaded requests answered as overloaded since the start
 * @param redisErrors trips to Redis without a usable answer since the start, except those that lacked a replica
 */
record ServiceSample(
        double residentMegabytes,
        double heapMegabytes,
        long threads,
        long descriptors,
        double fallbackEntries,
        double fallbackSeconds,
        double overloaded,
        double redisErrors) {
    private static final double MEGABYTE = 1 << 20;

    static ServiceSample of(ServiceProcess service) {
        MetricsText metrics = service.metrics();
        double replicas = metrics.sum("rate_limiter_redis_errors_total", "kind=\"replicas\"");
        return new ServiceSample(
                service.residentMegabytes(),
                metrics.sum("jvm_memory_used_bytes", "area=\"heap\"") / MEGABYTE,
                (long) metrics.sum("jvm_threads_current"),
                (long) metrics.sum("process_open_fds"),
                metrics.sum("rate_limiter_fallback_mode_total"),
                metrics.sum("rate_limiter_fallback_seconds_total"),
                metrics.sum("rate_limiter_overloaded_total"),
                metrics.sum("rate_limiter_redis_errors_total") - replicas);
    }
}
