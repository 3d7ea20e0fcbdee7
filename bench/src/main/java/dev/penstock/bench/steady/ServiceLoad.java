package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Wanted;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A load on one service, with a disturbance during the load. */
final class ServiceLoad {
    /** A disturbance of the service or its store during the load. */
    interface Disturbance {
        /** Runs the disturbance. May add its own measurements. */
        void run(StoreWatch watch, Map<String, Double> figures) throws BenchFailure;
    }

    static final Disturbance NONE = (watch, figures) -> {};

    private ServiceLoad() {}

    /** Returns the bounds for a healthy service: no denials, no failures, no fallback. */
    static Map<String, Wanted> nothingWrong() {
        Map<String, Wanted> wanted = new LinkedHashMap<>();
        wanted.put(SteadyResult.DENIED, Wanted.atMost(0));
        wanted.put(SteadyResult.FAILED, Wanted.atMost(0));
        wanted.put(SteadyResult.OVERLOADED, Wanted.atMost(0));
        wanted.put(SteadyResult.FALLBACK_ENTRIES, Wanted.atMost(0));
        wanted.put(SteadyResult.FALLBACK_SECONDS, Wanted.atMost(0));
        return wanted;
    }

    /**
     * Returns how often and how long a service has been in fallback since its start; NaN if it does not answer in time.
     */
    static SteadyResult.Fallback fallback(ServiceProcess service) {
        try {
            return new SteadyResult.Fallback(
                    service.metric("rate_limiter_fallback_mode_total"),
                    service.metric("rate_limiter_fallback_seconds_total"));
        } catch (UncheckedIOException e) {
            return new SteadyResult.Fallback(Double.NaN, Double.NaN);
        }
    }

    /** Runs a load on a service that has not received any request yet. */
    static SteadyResult run(
            String name,
            SteadyRig rig,
            ServiceProcess service,
            RequestTemplate template,
            LoadPlan plan,
            Map<String, Wanted> wanted,
            Disturbance disturbance)
            throws BenchFailure {
        return run(name, rig, service, template, plan, wanted, disturbance, SteadyResult.Fallback.NONE);
    }

    /** Runs a load on a service that has been in fallback before. */
    static SteadyResult run(
            String name,
            SteadyRig rig,
            ServiceProcess service,
            RequestTemplate template,
            LoadPlan plan,
            Map<String, Wanted> wanted,
            Disturbance disturbance,
            SteadyResult.Fallback before)
            throws BenchFailure {
        Map<String, Double> extra = new LinkedHashMap<>();
        try (StoreWatch watch = new StoreWatch(service)) {
            LoadSession session = rig.generator().start(template, plan, LoadSession.nodes(service.port()));
            long startNanos = LoadGenerator.await(session.begun());
            disturbance.run(watch, extra);
            LoadSamples samples = LoadGenerator.await(session.ended());
            double loadSeconds = (System.nanoTime() - startNanos) / 1e9;
            Map<String, Double> figures =
                    SteadyResult.figures(samples, fallback(service).since(before));
            figures.putAll(extra);
            figures.put("answers_per_second", samples.answered() / loadSeconds);
            figures.put("seconds_to_ready", service.secondsToReady());
            figures.put("peak_resident_mb", service.peakResidentMegabytes());
            return new SteadyResult(
                    name, figures, wanted, SteadyResult.timeline(samples), intervals(watch.spans(), startNanos));
        }
    }

    static List<SteadyResult.Interval> intervals(List<StoreWatch.Span> spans, long startNanos) {
        return spans.stream()
                .map(span -> new SteadyResult.Interval(
                        (span.fromNanos() - startNanos) / 1e9, (span.toNanos() - startNanos) / 1e9))
                .toList();
    }

    static void pauseMillis(long millis) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long left = millis; left > 0; left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(left));
        }
    }
}
