package dev.penstock.bench.harness;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A benchmark that users can run by name. {@link BenchCommand} implements the parts that are common to all. Closing it
 * stops everything that it started.
 */
public interface Benchmark extends AutoCloseable {
    String name();

    List<BenchCase> cases();

    /** Returns the memory case, which runs last, with these settings; empty if the benchmark keeps no keys. */
    default Optional<MemoryCase> memory(Settings settings) {
        return Optional.empty();
    }

    /** Returns the names that {@code --only} accepts. */
    default List<String> caseNames() {
        Stream<String> memory = memory(careful()).stream().map(each -> MemoryCase.NAME);
        return Stream.concat(cases().stream().map(BenchCase::name), memory).toList();
    }

    /** Returns the text for {@code --help}. */
    String usage();

    /** Checks that everything the benchmark needs is available. */
    default void prepare() throws BenchFailure {}

    /** Returns the settings of a run without {@code --quick}. */
    default Settings careful() {
        return Settings.CAREFUL;
    }

    /** Returns the columns of its scores. */
    ScoreTable table();

    /** Returns the conditions that are the same for all contenders, besides the settings, by their names in JSON. */
    Map<String, Object> conditions();

    /** Returns the files for {@code bench/results} after a full run: a text per name. */
    default Map<String, String> files(Report report) {
        return Map.of(name() + ".json", JsonReport.text(report));
    }

    @Override
    default void close() {}
}
