package dev.penstock.bench.harness;

import java.io.PrintStream;

/** Lets a contender of a case take its turn, in a JVM of its own. */
public interface Measure {
    /**
     * One turn of that length.
     *
     * @param log for whatever that JVM says
     */
    Turn turn(Contender contender, Settings.Length length, PrintStream log) throws BenchFailure;

    /** A turn in a few words, for the one who waits. */
    String figure(Turn turn);
}
