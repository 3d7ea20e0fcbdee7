package dev.penstock.bench.harness;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** A benchmark that a user can call by its name; {@link BenchCommand} does for all of them what is the same. */
public interface Benchmark {
    String name();

    /** The names that {@code --only} takes. */
    List<String> caseNames();

    /** What {@code --help} shows. */
    String usage();

    /** How it is measured unless it is to be quick. */
    default Settings careful() {
        return Settings.CAREFUL;
    }

    /** The columns in which its scores are shown. */
    ScoreTable table();

    /**
     * Runs the cases that the options include.
     *
     * @param log for whatever other JVMs say
     */
    Report measure(BenchOptions options, SourceTree tree, PrintStream log) throws BenchFailure;

    /** The files in {@code bench/results} after a whole run: a text for each name. */
    default Map<String, String> files(Report report) {
        return Map.of(name() + ".json", JsonReport.text(report));
    }
}
