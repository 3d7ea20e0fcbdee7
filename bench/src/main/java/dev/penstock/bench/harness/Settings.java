package dev.penstock.bench.harness;

import java.util.List;

/**
 * How long and how often everything is measured. An iteration takes one second.
 *
 * @param rounds how often the contenders of a case take turns; every turn has a fresh JVM
 * @param inRatio a turn of a contender that is part of a ratio
 * @param reported a turn of a contender that is not
 */
public record Settings(String name, int rounds, Length inRatio, Length reported) {
    /** The number of iterations of a turn: those that only warm up, then those that count. */
    public record Length(int warmupIterations, int iterations) {}

    public static final int THREADS = 2;
    public static final int ITERATION_SECONDS = 1;

    /** The same fixed heap for every contender. The JVM chooses everything else. */
    public static final List<String> JVM_ARGUMENTS = List.of("-Xms2g", "-Xmx2g");

    /** For counting live bytes: the serial collector reports them exactly, whereas others round up to regions. */
    public static final List<String> HEAP_JVM_ARGUMENTS = List.of("-Xms2g", "-Xmx2g", "-XX:+UseSerialGC");

    public static final Settings CAREFUL = new Settings("careful", 5, new Length(5, 5), new Length(5, 3));
    /** The careful settings with fewer rounds, for a benchmark that would otherwise take half an hour. */
    public static final Settings CAREFUL_BUT_SHORTER =
            new Settings("careful", 3, CAREFUL.inRatio(), CAREFUL.reported());

    public static final Settings QUICK = new Settings("quick", 1, new Length(2, 3), new Length(1, 1));

    Length of(Contender.Part part) {
        return part == Contender.Part.RATIO ? inRatio : reported;
    }
}
