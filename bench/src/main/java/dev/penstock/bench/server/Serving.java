package dev.penstock.bench.server;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.Latency;
import dev.penstock.bench.harness.LineProcess;
import dev.penstock.bench.harness.Measure;
import dev.penstock.bench.harness.OverAStore;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Turn;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A case: a fresh service is warmed up, runs at its maximum rate, then at half of that rate. */
public record Serving(Wire wire, Services services) implements Measure {
    private static final long MANY_KEYS = 1_000;
    private static final long ANSWERS_PER_KEY = 50;

    @Override
    public Turn turn(Contender contender, Settings.Length length, PrintStream log) throws BenchFailure {
        try (LineProcess service = services.start(contender.name());
                ServerLoad load = new ServerLoad(wire, Integer.parseInt(service.first()), services.directory())) {
            long warmupErrors = new LoadWarmUp(load, service).run(length.warmupIterations());
            check(contender, "errors in the warm-up", warmupErrors, warmupErrors == 0, "none");
            List<LoadRun> runs = new ArrayList<>();
            Counts before = Counts.read(service.ask());
            for (int i = 0; i < length.iterations(); i++) {
                runs.add(load.run(Settings.ITERATION_SECONDS));
            }
            Counts spent = spent(contender, runs, Counts.read(service.ask()).since(before));
            check(contender, runs, spent);
            double mean =
                    runs.stream().mapToDouble(LoadRun::perSecond).average().orElseThrow();
            Latency latency = load.latency(mean / 2, length.iterations() * Settings.ITERATION_SECONDS);
            return new Turn(
                    runs.stream().map(LoadRun::perSecond).toList(),
                    (double) spent.cpuNanos() / spent.answered(),
                    (double) spent.bytes() / spent.answered(),
                    (double) spent.allowed() / spent.answered(),
                    Optional.of(OverAStore.unknown(latency, errors(runs))));
        }
    }

    /** Returns the service's counts. A service without metrics has none, so the generator's answers are used. */
    private static Counts spent(Contender contender, List<LoadRun> runs, Counts told) {
        return contender.name().equals(Services.BARE) ? told.answering(answers(runs)) : told;
    }

    private static long answers(List<LoadRun> runs) {
        return runs.stream().mapToLong(LoadRun::answers).sum();
    }

    private static long errors(List<LoadRun> runs) {
        return runs.stream().mapToLong(LoadRun::errors).sum();
    }

    /** Checks a run. The generator counts gRPC errors as success, so the service must have made as many decisions. */
    private void check(Contender contender, List<LoadRun> runs, Counts spent) throws BenchFailure {
        check(contender, "errors", errors(runs), errors(runs) == 0, "none");
        long answers = answers(runs);
        check(contender, "decisions", spent.answered(), spent.answered() >= answers, answers + " or more");
        if (contender.name().equals(ServerBench.REDIS)) {
            long keys = Long.parseLong(services.redis().command("DBSIZE"));
            long least = Math.min(MANY_KEYS, answers / ANSWERS_PER_KEY);
            check(contender, "keys in Redis", keys, keys >= least, least + " or more");
        }
    }

    private void check(Contender contender, String what, long value, boolean isGood, String expected)
            throws BenchFailure {
        if (!isGood) {
            throw new BenchFailure(wire.caseName() + " " + contender.name() + ": " + what + ": " + value
                    + " (expected: " + expected + ")");
        }
    }

    @Override
    public String figure(Turn turn) {
        Latency latency = turn.overAStore().latency();
        return String.format(
                Locale.ROOT,
                "%,8.0f/s  at half that rate p50 %5.0f us  p99 %6.0f us  p99.9 %6.0f us",
                turn.meanOpsPerSecond(),
                latency.p50Micros(),
                latency.p99Micros(),
                latency.p999Micros());
    }
}
