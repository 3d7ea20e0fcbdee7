package dev.penstock.bench.core;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.JavaProcess;
import dev.penstock.bench.harness.MemoryPerKey;
import dev.penstock.bench.harness.Progress;
import dev.penstock.bench.harness.Ratio;
import dev.penstock.bench.harness.Settings;
import dev.penstock.bench.harness.Wanted;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The case of live heap for each key: one {@link MemoryProbe} for each contender. */
final class Memory {
    static final String NAME = "memory";

    private Memory() {}

    /** A single, short round has no time for what is only reported. */
    static List<String> contenders(Settings settings) {
        return settings.rounds() > 1
                ? List.of("penstock", "bucket4j_caffeine", "bucket4j_caffeine_shared")
                : List.of("penstock", "bucket4j_caffeine");
    }

    static List<MemoryPerKey> run(Settings settings, Progress progress, PrintStream log) throws BenchFailure {
        List<MemoryPerKey> all = new ArrayList<>();
        for (String contender : contenders(settings)) {
            progress.begin(NAME, contender);
            String output = JavaProcess.run(MemoryProbe.class, Settings.HEAP_JVM_ARGUMENTS, List.of(contender), log);
            MemoryPerKey memory = new MemoryPerKey(contender, UserKeys.COUNT, Long.parseLong(output));
            progress.done(Math.round(memory.bytesPerKey()) + " bytes/key");
            all.add(memory);
        }
        return all;
    }

    static Ratio ratio(List<MemoryPerKey> memory) {
        double ours = bytesPerKey(memory, "penstock");
        double peer = bytesPerKey(memory, "bucket4j_caffeine");
        return new Ratio(
                "bucket4j_caffeine_bytes_per_key_vs_ours",
                Wanted.atLeast(3),
                List.of(peer / ours),
                OptionalDouble.empty());
    }

    private static double bytesPerKey(List<MemoryPerKey> memory, String contender) {
        return memory.stream()
                .filter(each -> each.contender().equals(contender))
                .mapToDouble(MemoryPerKey::bytesPerKey)
                .findFirst()
                .orElseThrow();
    }
}
