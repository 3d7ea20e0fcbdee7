package dev.penstock.bench.observe;

import dev.penstock.bench.harness.BarPlot;
import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchCase.AllowedShare;
import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Benchmark;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.ForkedJvm;
import dev.penstock.bench.harness.JsonReport;
import dev.penstock.bench.harness.Measure;
import dev.penstock.bench.harness.Report;
import dev.penstock.bench.harness.ScoreTable;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Turn;
import dev.penstock.bench.server.ServerBench;
import dev.penstock.bench.server.Services;
import dev.penstock.bench.server.Serving;
import dev.penstock.bench.server.Wire;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The benchmark {@code observe}: compares the service and the library with all metrics and logs, and without. */
public final class ObserveBench implements Benchmark {
    private static final String NAME = "observe";
    private static final String LIBRARY = "library";
    private static final int TRACE = 10_000_000;
    private static final AllowedShare NEARLY_ALL = new AllowedShare(0.999, 1);

    private final ServerBench generators = new ServerBench();
    private final Services services = new Services();
    private @Nullable ZipfTrace trace;

    /** Warms up for a shorter time, because a loop needs less warm-up than a service. */
    private record WarmSoon(Measure measure) implements Measure {
        private static final int WARM_UP = 5;

        @Override
        public Turn turn(Contender contender, Settings.Length length, PrintStream log) throws BenchFailure {
            int warmUp = Math.min(WARM_UP, length.warmupIterations());
            return measure.turn(contender, new Settings.Length(warmUp, length.iterations()), log);
        }

        @Override
        public String figure(Turn turn) {
            return measure.figure(turn);
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    /**
     * Checks the hot keys first. Their accuracy does not depend on time, and a failure must not come after a long wait.
     */
    @Override
    public void prepare() throws BenchFailure {
        generators.prepare();
        System.out.printf("Hot keys of %,d decisions ...%n", TRACE);
        ZipfTrace made = ZipfTrace.of(TRACE);
        System.out.printf(
                "  the largest error is %,d (at most %,d); %d of the first ten are missing%n",
                made.worst(), made.bound(), made.missing());
        if (!made.isWithinItsBound()) {
            throw new BenchFailure(
                    "hot keys: " + made.asMap() + " (expected: within the bound, and no key above it lost)");
        }
        this.trace = made;
    }

    @Override
    public Settings careful() {
        return ServerBench.CAREFUL;
    }

    @Override
    public List<BenchCase> cases() {
        return List.of(
                served(Wire.HTTP1)
                        .expecting(Expectation.throughput("observed_vs_bare", Services.OBSERVED, Services.BARE, 0.9)),
                served(Wire.GRPC)
                        .expecting(
                                Expectation.toldThroughput("grpc_observed_vs_bare", Services.OBSERVED, Services.BARE)),
                new BenchCase(LIBRARY, new WarmSoon(new ForkedJvm(Watching.class)), NEARLY_ALL)
                        .inRatio("observed", "bare")
                        .expecting(Expectation.toldCost("library_observed_vs_bare", "observed", "bare")));
    }

    private BenchCase served(Wire wire) {
        return new BenchCase(wire.caseName(), new Serving(wire, services), NEARLY_ALL)
                .inRatio(Services.OBSERVED, Services.BARE);
    }

    @Override
    public ScoreTable table() {
        return ScoreTable.WATCHED;
    }

    @Override
    public Map<String, Object> conditions() {
        Map<String, Object> map = new LinkedHashMap<>(generators.conditions());
        map.put(
                "not_default",
                "a fixed heap of 2 GB for both; penstock_observed has a decision log, penstock_bare has no metrics:"
                        + " the case is about that difference");
        map.put("library_threads", Settings.THREADS);
        if (trace != null) {
            map.put("hot_keys_of_a_zipf_trace", trace.asMap());
        }
        return map;
    }

    @Override
    public Map<String, String> files(Report report) {
        return Map.of(
                NAME + ".json",
                JsonReport.text(report),
                NAME + ".svg",
                BarPlot.svg("penstock bench observe", "penstock", BarPlot.byCase(report, "decisions per second")));
    }

    @Override
    public void close() {
        services.close();
        generators.close();
    }

    @Override
    public String usage() {
        return """
            Usage: penstock bench observe [OPTIONS]

            Measures the cost of metrics, top keys, history and the decision log, in the service and in the library, and
            the accuracy of the hot keys. Prints a table, and writes bench/results/observe.json and observe.svg after a
            full run. Needs h2load and wrk (apt-get install nghttp2-client wrk). See bench/README.md.

            Options:
              --quick       one short, cold round of about two minutes, instead of fifteen
              --only NAME   one case: %s
              --help        show this text
            """.formatted(String.join(", ", caseNames()));
    }
}
