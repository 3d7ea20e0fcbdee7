package dev.penstock.bench.harness;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The case of what contenders need for each key, on the heap or in a store.
 *
 * @param contenders in their order: ours, the peer that it is compared with, then those that are only reported
 * @param keys how many each of them keeps
 * @param ratio the peer's bytes to ours
 */
public record MemoryCase(List<String> contenders, int keys, Measure measure, String ratio, Wanted wanted) {
    public static final String NAME = "memory";

    /** Fills a contender with the keys, and counts. */
    public interface Measure {
        /**
         * What lives once all keys are there.
         *
         * @param log for whatever another JVM says
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

    /** The ratio that this memory of the contenders shows, which is in their order. */
    public Ratio ratio(List<MemoryPerKey> memory) {
        double ours = memory.get(0).bytesPerKey();
        double peer = memory.get(1).bytesPerKey();
        return new Ratio(ratio, wanted, List.of(peer / ours), OptionalDouble.empty());
    }
}
