package dev.penstock.bench.harness;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Runs a benchmark with the given options, and prints and writes the result. */
public final class BenchCommand {
    private BenchCommand() {}

    public static void run(Benchmark benchmark, List<String> arguments) throws BenchFailure, BenchUsageError {
        BenchOptions options = BenchOptions.parse(arguments, benchmark.caseNames(), benchmark.careful());
        if (options.help()) {
            System.out.print(benchmark.usage());
            return;
        }
        benchmark.prepare();
        SourceTree tree = SourceTree.find();
        Path log = tree.benchLog();
        try {
            Files.createDirectories(log.getParent());
            Report report;
            try (benchmark;
                    PrintStream to = new PrintStream(log.toFile(), StandardCharsets.UTF_8)) {
                report = BenchRun.of(benchmark, options, tree, to);
            }
            TerminalReport.print(report, benchmark.table(), System.out);
            if (options.only().isEmpty()) {
                write(new TreeMap<>(benchmark.files(report)), tree);
            } else {
                System.out.println("No file was written: only a full run writes one.");
            }
        } catch (IOException e) {
            throw new BenchFailure("a file could not be written", e);
        }
    }

    private static void write(Map<String, String> texts, SourceTree tree) throws IOException {
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Path file = tree.result(text.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, text.getValue());
            System.out.println("Written to " + tree.root().relativize(file));
        }
    }
}
