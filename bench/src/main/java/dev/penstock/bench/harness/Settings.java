package dev.penstock.bench.harness;

import java.util.List;

/**
 * How long and how often everything is measured. Iterations last a second each.
 *
 * @param rounds how often the contenders of a case take turns; a turn is a fresh JVM
 * @param inRatio a turn of a contender that enters a ratio
 * @param reported a turn of one that does not
 */
public record Settings(String name, int rounds, Length inRatio, Length reported) {
    /** How many iterations a turn has: first those that only warm up, then those that count. */
    public record Length(int warmupIterations, int iterations) {}

    public static final int THREADS = 2;
    public static final int ITERATION_SECONDS = 1;

    /** The same heap for everyone, of fixed size; all else is as the JVM chooses by itself. */
    public static final List<String> JVM_ARGUMENTS = List.of("-Xms2g", "-Xmx2g");

    /** Where live bytes are counted: the serial collector says to the byte what lives, others round up to regions. */
    public static final List<String> HEAP_JVM_ARGUMENTS = List.of("-Xms2g", "-Xmx2g", "-XX:+UseSerialGC");

    public static final Settings CAREFUL = new Settings("careful", 5, new Length(5, 5), new Length(5, 3));
    /** The same in fewer rounds, where a run would take half an hour. */
    public static final Settings CAREFUL_BUT_SHORTER =
            new Settings("careful", 3, CAREFUL.inRatio(), CAREFUL.reported());

    public static final Settings QUICK = new Settings("quick", 1, new Length(2, 3), new Length(1, 1));

    Length of(Contender.Part part) {
        return part == Contender.Part.RATIO ? inRatio : reported;
    }
}
