package dev.penstock.bench.harness;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs a benchmark method with JMH in a separate JVM. JMH's output goes to a log.
 *
 * @param benchmark the JMH class, with a method per contender
 */
public record ForkedJvm(Class<?> benchmark) implements Measure {
    private static final String BYTES_PER_OP = "gc.alloc.rate.norm";

    /** Returns the conditions that are the same in every turn, by their names in JSON. */
    public static Map<String, Object> conditions() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("mode", "throughput");
        map.put("threads", Settings.THREADS);
        map.put("profilers", List.of("gc", "cpu time"));
        return map;
    }

    @Override
    public Turn turn(Contender contender, Settings.Length length, PrintStream log) throws BenchFailure {
        try {
            return turn(run(contender.method(), length, log));
        } catch (RunnerException e) {
            throw new BenchFailure(
                    benchmark.getSimpleName() + " " + contender.name() + " failed (see bench/target/bench.log)", e);
        }
    }

    @Override
    public String figure(Turn turn) {
        return Figures.millions(turn.meanOpsPerSecond()) + " M/s";
    }

    private RunResult run(String method, Settings.Length length, PrintStream log) throws RunnerException {
        Options options = new OptionsBuilder()
                .include("^" + Pattern.quote(benchmark.getName() + "." + method) + "$")
                .mode(Mode.Throughput)
                .timeUnit(TimeUnit.SECONDS)
                .threads(Settings.THREADS)
                .forks(1)
                .warmupIterations(length.warmupIterations())
                .warmupTime(TimeValue.seconds(Settings.ITERATION_SECONDS))
                .measurementIterations(length.iterations())
                .measurementTime(TimeValue.seconds(Settings.ITERATION_SECONDS))
                .addProfiler(GCProfiler.class)
                .addProfiler(CpuTimeProfiler.class)
                .jvmArgsAppend(Settings.JVM_ARGUMENTS.toArray(String[]::new))
                .shouldFailOnError(true)
                .build();
        Runner runner = new Runner(options, OutputFormatFactory.createFormatInstance(log, VerboseMode.NORMAL));
        return runner.runSingle();
    }

    private static Turn turn(RunResult result) {
        List<Double> opsPerSecond = result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .map(iteration -> iteration.getPrimaryResult().getScore())
                .toList();
        double allowed = secondary(result, "allowed");
        double denied = secondary(result, "denied");
        return new Turn(
                opsPerSecond,
                secondary(result, CpuTimeProfiler.NANOS_PER_OP),
                secondary(result, BYTES_PER_OP),
                allowed / (allowed + denied));
    }

    private static double secondary(RunResult result, String name) {
        var found = result.getSecondaryResults().get(name);
        if (found == null) {
            throw new IllegalStateException(name + ": not measured (expected: by the benchmark or its profiler)");
        }
        return found.getScore();
    }
}
