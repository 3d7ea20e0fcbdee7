package dev.penstock.bench.core;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchCase.AllowedShare;
import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Benchmark;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.ForkedJvm;
import dev.penstock.bench.harness.JavaProcess;
import dev.penstock.bench.harness.MemoryCase;
import dev.penstock.bench.harness.ScoreTable;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Wanted;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The benchmark {@code core}: its cases, the expected ratios, and how it runs. */
public final class CoreBench implements Benchmark {
    private static final String NAME = "core";

    private static final List<BenchCase> CASES = List.of(
            new BenchCase("hot_key_allowed", new ForkedJvm(HotKeyAllowed.class), new AllowedShare(0.98, 1))
                    .inRatio("penstock", "bucket4j_map")
                    .reported("penstock_read", "resilience4j", "guava")
                    .expecting(Expectation.throughput("hot_key_allowed_vs_bucket4j", "penstock", "bucket4j_map", 1.2)),
            new BenchCase("hot_key_denied", new ForkedJvm(HotKeyDenied.class), new AllowedShare(0, 0.01))
                    .inRatio("penstock", "bucket4j_map", "bare_map")
                    .reported("penstock_read", "resilience4j", "guava")
                    .expecting(
                            Expectation.throughput("hot_key_denied_vs_bucket4j", "penstock", "bucket4j_map", 1.5),
                            Expectation.toldThroughput("hot_key_denied_bare_vs_bucket4j", "bare_map", "bucket4j_map")),
            new BenchCase("million_keys", new ForkedJvm(MillionKeys.class), new AllowedShare(0.99, 1))
                    .inRatio("penstock", "bucket4j_caffeine")
                    .reported("bucket4j_map")
                    .expecting(Expectation.throughput(
                            "million_keys_vs_bucket4j_caffeine", "penstock", "bucket4j_caffeine", 3)),
            new BenchCase("three_limits", new ForkedJvm(ThreeLimits.class), new AllowedShare(0.99, 1))
                    .inRatio("penstock", "bucket4j_caffeine")
                    .expecting(Expectation.throughput(
                            "three_limits_vs_three_bucket4j_caffeine_calls", "penstock", "bucket4j_caffeine", 2)));

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<BenchCase> cases() {
        return CASES;
    }

    /** A single, short round has no time for contenders that are only reported. */
    @Override
    public Optional<MemoryCase> memory(Settings settings) {
        List<String> contenders = settings.rounds() > 1
                ? List.of("penstock", "bucket4j_caffeine", "bucket4j_caffeine_shared")
                : List.of("penstock", "bucket4j_caffeine");
        return Optional.of(new MemoryCase(
                contenders,
                UserKeys.COUNT,
                CoreBench::liveBytes,
                "bucket4j_caffeine_bytes_per_key_vs_ours",
                Wanted.atLeast(3)));
    }

    private static long liveBytes(String contender, PrintStream log) throws BenchFailure {
        return Long.parseLong(JavaProcess.run(MemoryProbe.class, Settings.HEAP_JVM_ARGUMENTS, List.of(contender), log));
    }

    @Override
    public ScoreTable table() {
        return ScoreTable.IN_PROCESS;
    }

    @Override
    public Map<String, Object> conditions() {
        Map<String, Object> map = ForkedJvm.conditions();
        map.put("memory_jvm_arguments", Settings.HEAP_JVM_ARGUMENTS);
        return map;
    }

    @Override
    public String usage() {
        return """
            Usage: penstock bench core [OPTIONS]

            Compares decisions in one process with Bucket4j, Resilience4j and Guava. Prints a table, and writes
            bench/results/core.json after a full run. bench/README.md explains what is measured and how.

            Options:
              --quick       one short round of less than two minutes, instead of about ten
              --only NAME   one case: %s
              --help        show this text
            """.formatted(String.join(", ", caseNames()));
    }
}
