package dev.penstock.bench.harness;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Measures the memory that contenders need per key, on the heap or in a store.
 *
 * @param contenders in order: ours, the competitor that it is compared with, then those that are only reported
 * @param keys how many keys each of them keeps
 * @param ratio the name of the ratio of the competitor's bytes to ours
 */
public record MemoryCase(List<String> contenders, int keys, Measure measure, String ratio, Wanted wanted) {
    public static final String NAME = "memory";

    /** Fills a contender with the keys and measures its memory. */
    public interface Measure {
        /**
         * Returns the live bytes once all keys exist.
         *
         * @param log receives the output of another JVM
         */
        long liveBytes(String contender, PrintStream log) throws BenchFailure;
    }

    public MemoryCase {
        contenders = List.copyOf(contenders);
    }

    List<MemoryPerKey> run(Progress progress, PrintStream log) throws BenchFailure {
        List<MemoryPerKey> all = new ArrayList<>();
        for (String contender : contenders) {
            progress.begin(NAME, contender);
            MemoryPerKey memory = new MemoryPerKey(contender, keys, measure.liveBytes(contender, log));
            progress.done(Math.round(memory.bytesPerKey()) + " bytes for each of " + keys + " keys");
            all.add(memory);
        }
        return all;
    }

    /** Returns the ratio for the memory of the contenders, given in their order. */
    public Ratio ratio(List<MemoryPerKey> memory) {
        double ours = memory.get(0).bytesPerKey();
        double peer = memory.get(1).bytesPerKey();
        return new Ratio(ratio, wanted, List.of(peer / ours), OptionalDouble.empty());
    }
}
