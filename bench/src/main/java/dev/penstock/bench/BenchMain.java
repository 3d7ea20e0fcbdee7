package dev.penstock.bench;

import dev.penstock.bench.core.CoreBench;
import dev.penstock.bench.harness.BenchCommand;
import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.BenchUsageError;
import dev.penstock.bench.harness.Benchmark;
import dev.penstock.bench.observe.ObserveBench;
import dev.penstock.bench.policy.PolicyBench;
import dev.penstock.bench.redis.RedisBench;
import dev.penstock.bench.server.ServerBench;
import dev.penstock.bench.soak.Soak;
import dev.penstock.bench.steady.SteadyBench;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Runs the benchmark or soak that the first argument names. */
public final class BenchMain {
    private static final String USAGE = """
            Usage: penstock bench BENCHMARK [OPTIONS]

            Benchmarks:
              core      decisions in one process, compared with Bucket4j, Resilience4j and Guava
              redis     decisions over Redis, compared with Bucket4j, Redisson, Spring Cloud Gateway and plain scripts
              policy    the time to select a request's charges, with few policies and with many
              server    the service over HTTP and gRPC, compared with one that decides nothing
              observe   the service and the library with metrics and logs, compared with neither
              steady    the service at default settings: cold, under full load and during faults

            penstock bench BENCHMARK --help shows its options.
            """;

    private static final List<Benchmark> BENCHMARKS =
            List.of(new CoreBench(), new RedisBench(), new PolicyBench(), new ServerBench(), new ObserveBench());

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
            if (name.equals("soak")) {
                return Soak.run(arguments.subList(1, arguments.size()));
            }
            if (name.equals(SteadyBench.NAME)) {
                return SteadyBench.run(arguments.subList(1, arguments.size()));
            }
            BenchCommand.run(named(name), arguments.subList(1, arguments.size()));
            return 0;
        } catch (BenchUsageError e) {
            System.err.println("penstock: " + e.getMessage());
            return 2;
        } catch (BenchFailure e) {
            System.err.println("penstock: " + e.getMessage());
            return 1;
        }
    }

    private static Benchmark named(String name) throws BenchUsageError {
        for (Benchmark benchmark : BENCHMARKS) {
            if (benchmark.name().equals(name)) {
                return benchmark;
            }
        }
        String names = BENCHMARKS.stream().map(Benchmark::name).collect(Collectors.joining(", "));
        throw new BenchUsageError("bench: " + name + " (expected: " + names + ", " + SteadyBench.NAME + ")");
    }
}
