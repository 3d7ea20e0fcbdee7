package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Wanted;
import dev.penstock.bench.server.Wire;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sends 3,000 requests of 16 clients under a limit of 100 permits per hour. It must admit exactly 100. */
final class PermitTrial {
    private static final int CLIENTS = 16;
    private static final int REQUESTS = 3_000;
    private static final double LONGEST_SECONDS = 60;
    private static final int RUNS = 20;
    private static final int QUICK_RUNS = 3;
    private static final RequestTemplate TEMPLATE = RequestTemplate.of(Wire.HTTP1, SteadyRig.SCARCE);

    private final String name;
    private final SteadyRig rig;
    private final List<Integer> admitted = new ArrayList<>();
    private SteadyResult.Fallback fallback = SteadyResult.Fallback.NONE;
    private int failed;

    private PermitTrial(String name, SteadyRig rig) {
        this.name = name;
        this.rig = rig;
    }

    /** Uses a fresh service for each run. */
    static SteadyResult cold(String name, SteadyRig rig) throws BenchFailure {
        PermitTrial trial = new PermitTrial(name, rig);
        while (trial.admitted.size() < rig.choose(RUNS, QUICK_RUNS)) {
            try (ServiceProcess service = rig.start()) {
                trial.run(service);
                trial.countFallback(service);
            }
        }
        return trial.result();
    }

    /** Uses one warm service, with a different user in each run. */
    static SteadyResult warm(String name, SteadyRig rig) throws BenchFailure {
        PermitTrial trial = new PermitTrial(name, rig);
        try (ServiceProcess service = rig.start()) {
            rig.generator()
                    .run(
                            SteadyRig.template(Wire.HTTP1),
                            new LoadPlan.Closed(CLIENTS, rig.choose(10, 5)),
                            LoadSession.nodes(service.port()));
            while (trial.admitted.size() < rig.choose(RUNS, QUICK_RUNS)) {
                trial.run(service);
            }
            trial.countFallback(service);
        }
        return trial.result();
    }

    /** Runs once. The run counts only if it did not cross the hour. */
    private void run(ServiceProcess service) throws BenchFailure {
        Instant hour = Instant.now().truncatedTo(ChronoUnit.HOURS);
        LoadSamples samples = LoadGenerator.await(rig.generator()
                .start(
                        TEMPLATE,
                        new LoadPlan.Closed(CLIENTS, LONGEST_SECONDS, REQUESTS),
                        LoadSession.nodes(service.port()),
                        LoadSession.only(admitted.size()))
                .ended());
        if (Instant.now().truncatedTo(ChronoUnit.HOURS).equals(hour)) {
            admitted.add(samples.count(AnswerKind.ALLOWED));
            failed += samples.count(AnswerKind.FAILED) + samples.count(AnswerKind.OVERLOADED);
        }
    }

    private void countFallback(ServiceProcess service) {
        fallback = fallback.and(ServiceLoad.fallback(service));
    }

    private SteadyResult result() {
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(SteadyResult.REQUESTS, (double) REQUESTS * admitted.size());
        figures.put("runs", (double) admitted.size());
        figures.put("exact_runs", (double) admitted.stream()
                .filter(each -> each == SteadyRig.SCARCE_PERMITS)
                .count());
        figures.put("admitted_least", (double)
                admitted.stream().mapToInt(each -> each).min().orElse(0));
        figures.put("admitted_most", (double)
                admitted.stream().mapToInt(each -> each).max().orElse(0));
        figures.put(SteadyResult.FAILED, (double) failed);
        figures.put(SteadyResult.FALLBACK_ENTRIES, fallback.entries());
        figures.put(SteadyResult.FALLBACK_SECONDS, fallback.seconds());
        Map<String, Wanted> wanted = new LinkedHashMap<>();
        wanted.put("exact_runs", Wanted.atLeast(admitted.size()));
        wanted.put(SteadyResult.FAILED, Wanted.atMost(0));
        wanted.put(SteadyResult.FALLBACK_ENTRIES, Wanted.atMost(0));
        return new SteadyResult(name, figures, wanted, List.of(), List.of());
    }
}
