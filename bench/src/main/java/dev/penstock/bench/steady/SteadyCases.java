package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Wanted;
import dev.penstock.bench.server.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The cases, in the order in which they run. */
final class SteadyCases {
    private static final int RATE = 2_000;
    private static final int SECONDS = 12;
    private static final int QUICK_SECONDS = 4;
    private static final long SMALL_HEAP_BYTES = 128 << 20;
    private static final Map<String, String> SMALL_HEAP = Map.of("PENSTOCK_JVM_OPTIONS", "-Xmx128m");

    private static final int STOPS = 10;
    private static final long STOPPED_MILLIS = 500;
    private static final long BETWEEN_STOPS_MILLIS = 1_000;

    private static final int RAMP_TIMES_CAPACITY = 3;

    private SteadyCases() {}

    static List<SteadyCase> all() {
        List<SteadyCase> all = new ArrayList<>();
        for (int perSecond : new int[] {300, RATE, 10_000}) {
            all.add(new SteadyCase(
                    "a",
                    "open_" + perSecond,
                    "cold, open loop, %,d/s".formatted(perSecond),
                    (name, rig) ->
                            onFreshService(name, rig, SteadyRig.template(Wire.HTTP2), open(rig, perSecond), Map.of())));
        }
        for (Wire wire : Wire.values()) {
            for (int callers : new int[] {64, 512}) {
                all.add(new SteadyCase(
                        "b",
                        wire.caseName() + "_" + callers,
                        "cold, closed loop, %d in flight, %s".formatted(callers, wire.caseName()),
                        (name, rig) ->
                                onFreshService(name, rig, SteadyRig.template(wire), closed(rig, callers), Map.of())));
            }
        }
        all.add(new SteadyCase(
                "b",
                "slots_512",
                "cold, closed loop, 512 in flight, http2, a concurrency limit",
                (name, rig) -> onFreshService(
                        name, rig, RequestTemplate.of(Wire.HTTP2, SteadyRig.SLOTS), closed(rig, 512), Map.of())));
        all.add(new SteadyCase("c", "ramp", "ramp to three times the capacity and back", SteadyCases::ramp));
        all.add(new SteadyCase(
                "d",
                "small_heap_closed",
                "heap of 128 MB, cold, closed loop, 64 in flight, http2",
                (name, rig) -> onFreshService(name, rig, SteadyRig.template(Wire.HTTP2), closed(rig, 64), SMALL_HEAP)));
        all.add(new SteadyCase(
                "d",
                "small_heap_open",
                "heap of 128 MB, cold, open loop, 2,000/s",
                (name, rig) -> onFreshService(name, rig, SteadyRig.template(Wire.HTTP2), open(rig, RATE), SMALL_HEAP)));
        all.add(new SteadyCase(
                "e", "node_stopped", "the service stopped repeatedly for 500 ms, 2,000/s", SteadyCases::stopped));
        for (int millis : new int[] {2, 5, 15}) {
            all.add(new SteadyCase(
                    "f",
                    "redis_slow_" + millis + "ms",
                    "Redis slower by %d ms, cold, 2,000/s".formatted(millis),
                    (name, rig) -> slowRedis(name, rig, millis)));
        }
        all.add(new SteadyCase(
                "g", "redis_stopped", "Redis stopped for 5 s, 2,000/s", (name, rig) -> StoreOutage.stopped(name, rig)));
        all.add(new SteadyCase(
                "g",
                "redis_killed",
                "Redis killed, started again after 5 s, 2,000/s",
                (name, rig) -> StoreOutage.killed(name, rig)));
        all.add(new SteadyCase("h", "rolling_restart", "rolling restart of three nodes", RollingRestart::run));
        all.add(new SteadyCase(
                "i", "exact_cold", "100 permits per hour, 16 clients, 3,000 requests, cold", PermitTrial::cold));
        all.add(new SteadyCase("i", "exact_warm", "the same on a warm node", PermitTrial::warm));
        return all;
    }

    private static LoadPlan open(SteadyRig rig, int perSecond) {
        return new LoadPlan.Open(RateShape.constant(perSecond, rig.choose(SECONDS, QUICK_SECONDS)));
    }

    private static LoadPlan closed(SteadyRig rig, int callers) {
        return new LoadPlan.Closed(callers, rig.choose(SECONDS, QUICK_SECONDS));
    }

    private static SteadyResult onFreshService(
            String name, SteadyRig rig, RequestTemplate template, LoadPlan plan, Map<String, String> environment)
            throws BenchFailure {
        try (ServiceProcess service = rig.start(rig.redis().uri(), environment)) {
            SteadyResult result =
                    ServiceLoad.run(name, rig, service, template, plan, ServiceLoad.nothingWrong(), ServiceLoad.NONE);
            if (!environment.isEmpty() && service.maxHeapBytes() > SMALL_HEAP_BYTES) {
                throw new BenchFailure(
                        name + ": a heap of " + service.maxHeapBytes() + " bytes (expected: " + SMALL_HEAP_BYTES + ")");
            }
            return result;
        }
    }

    private static SteadyResult ramp(String name, SteadyRig rig) throws BenchFailure {
        try (ServiceProcess service = rig.start()) {
            double capacity = capacity(rig, service);
            RateShape shape =
                    RateShape.hill(capacity / 10, capacity * RAMP_TIMES_CAPACITY, rig.choose(8, 4), rig.choose(4, 2));
            Map<String, Wanted> wanted = ServiceLoad.nothingWrong();
            wanted.remove(SteadyResult.OVERLOADED);
            ServiceLoad.Disturbance told = (watch, figures) -> {
                figures.put("capacity_per_second", capacity);
                figures.put("peak_per_second", capacity * RAMP_TIMES_CAPACITY);
            };
            SteadyResult.Fallback before = ServiceLoad.fallback(service);
            return ServiceLoad.run(
                    name, rig, service, SteadyRig.template(Wire.HTTP2), new LoadPlan.Open(shape), wanted, told, before);
        }
    }

    /** Returns the answers per second of a closed loop on the warm service. */
    private static double capacity(SteadyRig rig, ServiceProcess service) throws BenchFailure {
        List<LoadNode> nodes = LoadSession.nodes(service.port());
        RequestTemplate template = SteadyRig.template(Wire.HTTP2);
        rig.generator().run(template, new LoadPlan.Closed(64, rig.choose(15, 6)), nodes);
        int seconds = rig.choose(5, 2);
        LoadSamples measured = rig.generator().run(template, new LoadPlan.Closed(64, seconds), nodes);
        return (double) measured.size() / seconds;
    }

    private static SteadyResult stopped(String name, SteadyRig rig) throws BenchFailure {
        int stops = rig.choose(STOPS, 3);
        double seconds = (stops * (STOPPED_MILLIS + BETWEEN_STOPS_MILLIS) + 2 * BETWEEN_STOPS_MILLIS) / 1e3;
        LoadPlan plan = new LoadPlan.Open(RateShape.constant(RATE, seconds));
        try (ServiceProcess service = rig.start()) {
            return ServiceLoad.run(
                    name,
                    rig,
                    service,
                    SteadyRig.template(Wire.HTTP2),
                    plan,
                    ServiceLoad.nothingWrong(),
                    (watch, figures) -> {
                        for (int i = 0; i < stops; i++) {
                            ServiceLoad.pauseMillis(BETWEEN_STOPS_MILLIS);
                            service.pause();
                            ServiceLoad.pauseMillis(STOPPED_MILLIS);
                            service.resume();
                        }
                        figures.put("stops", (double) stops);
                    });
        }
    }

    private static SteadyResult slowRedis(String name, SteadyRig rig, int millis) throws BenchFailure {
        boolean isBelowDeadline = millis < rig.deadline().toMillis();
        try (DelayLine line = new DelayLine(rig.redis().port())) {
            line.delay(millis);
            try (ServiceProcess service = rig.start(line.uri(), Map.of())) {
                Map<String, Wanted> wanted = isBelowDeadline ? ServiceLoad.nothingWrong() : Map.of();
                return ServiceLoad.run(
                        name,
                        rig,
                        service,
                        SteadyRig.template(Wire.HTTP2),
                        open(rig, RATE),
                        wanted,
                        (watch, figures) -> {
                            figures.put("deadline_ms", (double) rig.deadline().toMillis());
                        });
            }
        }
    }
}
