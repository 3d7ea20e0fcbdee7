package dev.penstock.bench.harness;

import java.io.PrintStream;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Measures the selected cases of a benchmark one after the other and collects the results. */
final class BenchRun {
    private BenchRun() {}

    static Report of(Benchmark benchmark, BenchOptions options, SourceTree tree, PrintStream log) throws BenchFailure {
        Settings settings = options.settings();
        List<BenchCase> cases = benchmark.cases().stream()
                .filter(each -> options.includes(each.name()))
                .toList();
        Optional<MemoryCase> memoryCase = benchmark.memory(settings).filter(each -> options.includes(MemoryCase.NAME));
        int turns = Rounds.count(cases, settings)
                + memoryCase.map(each -> each.contenders().size()).orElse(0);
        Instant start = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        Progress progress = new Progress(System.out, turns);
        Rounds rounds = new Rounds(settings, progress, log);
        List<Score> scores = new ArrayList<>();
        List<Ratio> ratios = new ArrayList<>();
        for (BenchCase each : cases) {
            List<Score> ofCase = rounds.run(each);
            scores.addAll(ofCase);
            ratios.addAll(each.ratios(ofCase));
        }
        List<MemoryPerKey> memory = new ArrayList<>();
        if (memoryCase.isPresent()) {
            memory.addAll(memoryCase.get().run(progress, log));
            ratios.add(memoryCase.get().ratio(memory));
        }
        System.out.println("Done in " + progress.elapsed());
        return new Report(benchmark.name(), settings, benchmark.conditions(), tree, start, scores, memory, ratios);
    }
}
