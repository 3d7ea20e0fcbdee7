package dev.penstock.bench.core;

import dev.penstock.bench.harness.BenchCase;
import dev.penstock.bench.harness.BenchCase.AllowedShare;
import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.BenchOptions;
import dev.penstock.bench.harness.Contender;
import dev.penstock.bench.harness.Expectation;
import dev.penstock.bench.harness.HeapPerKey;
import dev.penstock.bench.harness.JsonReport;
import dev.penstock.bench.harness.Progress;
import dev.penstock.bench.harness.Ratio;
import dev.penstock.bench.harness.Report;
import dev.penstock.bench.harness.Rounds;
import dev.penstock.bench.harness.Score;
import dev.penstock.bench.harness.SourceTree;
import dev.penstock.bench.harness.TerminalReport;
import dev.penstock.bench.harness.UsageError;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The benchmark {@code core}: its cases, what is expected of them, and their run. */
public final class CoreBench {
    private static final String NAME = "core";

    static final List<BenchCase> CASES = List.of(
            new BenchCase(
                    "hot_key_allowed",
                    HotKeyAllowed.class,
                    new AllowedShare(0.98, 1),
                    List.of(
                            Contender.inRatio("penstock"),
                            Contender.inRatio("bucket4j_map"),
                            Contender.reported("penstock_read"),
                            Contender.reported("resilience4j"),
                            Contender.reported("guava")),
                    List.of(new Expectation("hot_key_allowed_vs_bucket4j", "penstock", "bucket4j_map", 1.2))),
            new BenchCase(
                    "hot_key_denied",
                    HotKeyDenied.class,
                    new AllowedShare(0, 0.01),
                    List.of(
                            Contender.inRatio("penstock"),
                            Contender.inRatio("bucket4j_map"),
                            Contender.reported("penstock_read"),
                            Contender.reported("resilience4j"),
                            Contender.reported("guava")),
                    List.of(new Expectation("hot_key_denied_vs_bucket4j", "penstock", "bucket4j_map", 1.5))),
            new BenchCase(
                    "million_keys",
                    MillionKeys.class,
                    new AllowedShare(0.99, 1),
                    List.of(
                            Contender.inRatio("penstock"),
                            Contender.inRatio("bucket4j_caffeine"),
                            Contender.reported("bucket4j_map")),
                    List.of(new Expectation("million_keys_vs_bucket4j_caffeine", "penstock", "bucket4j_caffeine", 3))),
            new BenchCase(
                    "three_limits",
                    ThreeLimits.class,
                    new AllowedShare(0.99, 1),
                    List.of(Contender.inRatio("penstock"), Contender.inRatio("bucket4j_caffeine")),
                    List.of(new Expectation(
                            "three_limits_vs_three_bucket4j_caffeine_calls", "penstock", "bucket4j_caffeine", 2))));

    private static final List<String> CASE_NAMES = Stream.concat(
                    CASES.stream().map(BenchCase::name), Stream.of(Memory.NAME))
            .toList();

    private CoreBench() {}

    public static void run(List<String> arguments) throws BenchFailure, UsageError {
        BenchOptions options = BenchOptions.parse(arguments, CASE_NAMES);
        if (options.help()) {
            System.out.print(usage());
            return;
        }
        SourceTree tree = SourceTree.find();
        Report report;
        Path log = tree.benchLog();
        try {
            Files.createDirectories(log.getParent());
            try (PrintStream to = new PrintStream(log.toFile(), StandardCharsets.UTF_8)) {
                report = measure(options, tree, to);
            }
            TerminalReport.print(report, System.out);
            if (options.only().isEmpty()) {
                Path results = tree.results(NAME);
                Files.createDirectories(results.getParent());
                Files.writeString(results, JsonReport.text(report));
                System.out.println("Written to " + tree.root().relativize(results));
            } else {
                System.out.println("Not written to a file: only a whole run is.");
            }
        } catch (IOException e) {
            throw new BenchFailure("a file could not be written", e);
        }
    }

    private static Report measure(BenchOptions options, SourceTree tree, PrintStream log) throws BenchFailure {
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
        List<HeapPerKey> heap = withMemory ? Memory.run(options.settings(), progress, log) : List.of();
        if (withMemory) {
            ratios.add(Memory.ratio(heap));
        }
        System.out.println("Done in " + progress.elapsed());
        return new Report(NAME, options.settings(), tree, start, scores, heap, ratios);
    }

    private static String usage() {
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
