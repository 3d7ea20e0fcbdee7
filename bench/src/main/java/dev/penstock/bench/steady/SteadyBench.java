package dev.penstock.bench.steady;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.BenchUsageError;
import dev.penstock.bench.harness.Progress;
import dev.penstock.bench.harness.SourceTree;
import dev.penstock.testkit.server.RedisServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs the benchmark {@code steady} from its options to its report. */
public final class SteadyBench {
    public static final String NAME = "steady";

    private SteadyBench() {}

    /** Returns the exit status. Measurements outside of their bounds are findings, not errors. */
    public static int run(List<String> arguments) throws BenchUsageError, BenchFailure {
        SteadyOptions options = SteadyOptions.parse(arguments);
        if (options.help()) {
            System.out.print(SteadyOptions.usage());
            return 0;
        }
        SourceTree tree = SourceTree.find();
        try {
            Files.createDirectories(tree.benchLog().getParent());
            Files.writeString(tree.benchLog(), "");
            SteadyReport report = run(options, tree);
            System.out.println();
            System.out.print(report.table());
            if (options.isWhole() && report.results().size() == options.cases().size()) {
                write(tree.result("steady.json"), report.json());
                write(tree.result("steady.svg"), SteadyPlot.svg(report.results()));
                System.out.println("Written to bench/results/steady.json and steady.svg");
            } else {
                Path json = tree.benchLog().resolveSibling("steady.json");
                write(json, report.json());
                write(json.resolveSibling("steady.svg"), SteadyPlot.svg(report.results()));
                System.out.println("Written to bench/target only (steady.json, steady.svg): not a full run.");
            }
            return 0;
        } catch (IOException e) {
            throw new BenchFailure("a file could not be written", e);
        } catch (UncheckedIOException e) {
            throw new BenchFailure("a service did not answer (see bench/target/bench.log)", e);
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text);
    }

    private static SteadyReport run(SteadyOptions options, SourceTree tree) throws BenchFailure {
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        List<SteadyResult> results = new ArrayList<>();
        List<String> notRun = new ArrayList<>();
        try (SteadyRig rig = new SteadyRig(tree, options.isQuick())) {
            System.out.println("Building the service if needed, and warming up the load generator ...");
            rig.prepare();
            Progress progress = new Progress(System.out, options.cases().size());
            for (SteadyCase each : options.cases()) {
                progress.begin(each.name(), "(" + each.group() + ")");
                try {
                    SteadyResult result = each.run(rig);
                    results.add(result);
                    progress.done(SteadyReport.line(result));
                } catch (BenchFailure | UncheckedIOException e) {
                    notRun.add(each.name());
                    progress.done("not run: " + e.getMessage());
                }
            }
            System.out.println("Done in " + progress.elapsed());
            if (!notRun.isEmpty()) {
                System.out.println("Not run: " + String.join(", ", notRun));
            }
            return new SteadyReport(tree, start, options.isQuick(), conditions(rig), results);
        }
    }

    private static Map<String, Object> conditions(SteadyRig rig) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("service", "./penstock serve with default settings; chosen: ports, policies, Redis, no audit file");
        map.put("exceptions", "small_heap_*: -Xmx128m, which these cases measure");
        map.put("deadline", rig.deadline().toMillis() + " ms");
        map.put("redis", redis(rig.redis()));
        map.put("generator_alone", rig.generatorFigures());
        return map;
    }

    /** Returns the version and build of the server, and where its binary came from. */
    private static String redis(RedisServer redis) {
        Map<String, String> info = new LinkedHashMap<>();
        redis.command("INFO").lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0) {
                info.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
        });
        String from = System.getProperty("penstock.redis", "").isEmpty()
                ? "the binary in the testkit"
                : "this system's redis-server";
        return info.get("redis_version") + ", build " + info.get("redis_build_id") + ", " + info.get("mem_allocator")
                + ", " + from;
    }
}
