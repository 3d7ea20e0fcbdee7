package dev.penstock.bench.core;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchCase.AllowedShare;
import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.BenchOptions;
import dev.penstock.bench.harness.Benchmark;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.ForkedJvm;
import dev.penstock.bench.harness.MemoryPerKey;
import dev.penstock.bench.harness.Progress;
import dev.penstock.bench.harness.Ratio;
import dev.penstock.bench.harness.Report;
import dev.penstock.bench.harness.Rounds;
import dev.penstock.bench.harness.Score;
import dev.penstock.bench.harness.ScoreTable;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.SourceTree;
import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The benchmark {@code core}: its cases, what is expected of them, and their run. */
public final class CoreBench implements Benchmark {
    private static final String NAME = "core";

    static final List<BenchCase> CASES = List.of(
            new BenchCase(
                    "hot_key_allowed",
                    new ForkedJvm(HotKeyAllowed.class),
                    new AllowedShare(0.98, 1),
                    List.of(
                            Contender.inRatio("penstock"),
                            Contender.inRatio("bucket4j_map"),
                            Contender.reported("penstock_read"),
                            Contender.reported("resilience4j"),
                            Contender.reported("guava")),
                    List.of(Expectation.throughput("hot_key_allowed_vs_bucket4j", "penstock", "bucket4j_map", 1.2))),
            new BenchCase(
                    "hot_key_denied",
                    new ForkedJvm(HotKeyDenied.class),
                    new AllowedShare(0, 0.01),
                    List.of(
                            Contender.inRatio("penstock"),
                            Contender.inRatio("bucket4j_map"),
                            Contender.reported("penstock_read"),
                            Contender.reported("resilience4j"),
                            Contender.reported("guava")),
                    List.of(Expectation.throughput("hot_key_denied_vs_bucket4j", "penstock", "bucket4j_map", 1.5))),
            new BenchCase(
                    "million_keys",
                    new ForkedJvm(MillionKeys.class),
                    new AllowedShare(0.99, 1),
                    List.of(
                            Contender.inRatio("penstock"),
                            Contender.inRatio("bucket4j_caffeine"),
                            Contender.reported("bucket4j_map")),
                    List.of(Expectation.throughput(
                            "million_keys_vs_bucket4j_caffeine", "penstock", "bucket4j_caffeine", 3))),
            new BenchCase(
                    "three_limits",
                    new ForkedJvm(ThreeLimits.class),
                    new AllowedShare(0.99, 1),
                    List.of(Contender.inRatio("penstock"), Contender.inRatio("bucket4j_caffeine")),
                    List.of(Expectation.throughput(
                            "three_limits_vs_three_bucket4j_caffeine_calls", "penstock", "bucket4j_caffeine", 2))));

    private static final List<String> CASE_NAMES = Stream.concat(
                    CASES.stream().map(BenchCase::name), Stream.of(Memory.NAME))
            .toList();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<String> caseNames() {
        return CASE_NAMES;
    }

    @Override
    public ScoreTable table() {
        return ScoreTable.IN_PROCESS;
    }

    @Override
    public Report measure(BenchOptions options, SourceTree tree, PrintStream log) throws BenchFailure {
        List<BenchCase> cases =
                CASES.stream().filter(each -> options.includes(each.name())).toList();
        boolean withMemory = options.includes(Memory.NAME);
        int turns = Rounds.count(cases, options.settings())
                + (withMemory ? Memory.contenders(options.settings()).size() : 0);
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Progress progress = new Progress(System.out, turns);
        Rounds rounds = new Rounds(options.settings(), progress, log);
        List<Score> scores = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        for (BenchCase each : cases) {
            List<Score> ofCase = rounds.run(each);
            scores.addAll(ofCase);
            ratios.addAll(Rounds.ratios(each, ofCase));
        }
        List<MemoryPerKey> memory = withMemory ? Memory.run(options.settings(), progress, log) : List.of();
        if (withMemory) {
            ratios.add(Memory.ratio(memory));
        }
        System.out.println("Done in " + progress.elapsed());
        return new Report(NAME, options.settings(), conditions(), tree, start, scores, memory, ratios);
    }

    private static Map<String, Object> conditions() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("mode", "throughput");
        map.put("threads", Settings.THREADS);
        map.put("profilers", List.of("gc", "cpu time"));
        map.put("memory_jvm_arguments", Settings.HEAP_JVM_ARGUMENTS);
        return map;
    }

    @Override
    public String usage() {
        return """
            Usage: penstock bench core [OPTIONS]

            Measures decisions in one process against Bucket4j, Resilience4j and Guava: a table at the end, and
            bench/results/core.json after a whole run. What is measured, and how, is in bench/README.md.

            Options:
              --quick       one short round, under two minutes; without it about ten
              --only NAME   one case: %s
              --help        show this text
            """.formatted(String.join(", ", CASE_NAMES));
    }
}
