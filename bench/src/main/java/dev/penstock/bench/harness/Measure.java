package dev.penstock.bench.harness;

import java.io.PrintStream;

/** Runs a contender's turn in a separate JVM. */
public interface Measure {
    /**
     * Runs one turn of this length.
     *
     * @param log receives the output of that JVM
     */
    Turn turn(Contender contender, Settings.Length length, PrintStream log) throws BenchFailure;

    /** Summarizes a turn in a few words, for the progress output. */
    String figure(Turn turn);
}
