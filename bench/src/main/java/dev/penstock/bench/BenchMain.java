package dev.penstock.bench;

import dev.penstock.bench.core.CoreBench;
import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.UsageError;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Runs the benchmark that the first argument names. */
public final class BenchMain {
    private static final String USAGE = """
            Usage: penstock bench BENCHMARK [OPTIONS]

            Benchmarks:
              core      decisions in one process, against Bucket4j, Resilience4j and Guava

            penstock bench BENCHMARK --help tells its options.
            """;

    private static final Map<String, Benchmark> BENCHMARKS = Map.of("core", CoreBench::run);

    /** A sub-command; prints what it has to say. */
    private interface Benchmark {
        void run(List<String> options) throws BenchFailure, UsageError;
    }

    private BenchMain() {}

    public static void main(String[] args) {
        System.exit(run(Arrays.asList(args)));
    }

    private static int run(List<String> arguments) {
        try {
            String name = arguments.isEmpty() ? "" : arguments.get(0);
            if (name.equals("--help") || name.equals("-h")) {
                System.out.print(USAGE);
                return 0;
            }
            Benchmark benchmark = BENCHMARKS.get(name);
            if (benchmark == null) {
                throw new UsageError("bench: " + name + " (expected: core)");
            }
            benchmark.run(arguments.subList(1, arguments.size()));
            return 0;
        } catch (UsageError e) {
            System.err.println("penstock: " + e.getMessage());
            return 2;
        } catch (BenchFailure e) {
            System.err.println("penstock: " + e.getMessage());
            return 1;
        }
    }
}
