package dev.penstock.bench.harness;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A benchmark that a user can call by its name; {@link BenchCommand} does for all of them what is the same. Whatever it
 * starts for its cases ends when it is closed.
 */
public interface Benchmark extends AutoCloseable {
    String name();

    List<BenchCase> cases();

    /** The last case, with these settings; empty where nothing is kept for a key. */
    default Optional<MemoryCase> memory(Settings settings) {
        return Optional.empty();
    }

    /** The names that {@code --only} takes. */
    default List<String> caseNames() {
        Stream<String> memory = memory(careful()).stream().map(each -> MemoryCase.NAME);
        return Stream.concat(cases().stream().map(BenchCase::name), memory).toList();
    }

    /** What {@code --help} shows. */
    String usage();

    /** Makes sure that everything is there that it needs. */
    default void prepare() throws BenchFailure {}

    /** How it is measured unless it is to be quick. */
    default Settings careful() {
        return Settings.CAREFUL;
    }

    /** The columns in which its scores are shown. */
    ScoreTable table();

    /** What is the same for everyone, beside the settings, by the name that it has in JSON. */
    Map<String, Object> conditions();

    /** The files in {@code bench/results} after a whole run: a text for each name. */
    default Map<String, String> files(Report report) {
        return Map.of(name() + ".json", JsonReport.text(report));
    }

    @Override
    default void close() {}
}
