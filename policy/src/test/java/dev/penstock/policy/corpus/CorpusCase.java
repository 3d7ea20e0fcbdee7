package dev.penstock.policy.corpus;

import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyErrors;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A policy file of the corpus, or a directory of files that belong together.
 *
 * @param path the file or the directory
 */
record CorpusCase(Path path) {
    /** The source directory, not the copy under target, which may still contain files that were moved away. */
    private static final Path CORPUS = Path.of("src", "test", "resources", "corpus");

    private static final String ERRORS = ".errors";

    private static final Map<String, String> ENVIRONMENT =
            Map.of("PENSTOCK_HASH_KEY", "a key for tests, of 30 bytes..", "PENSTOCK_SHORT_KEY", "too short");

    /** Returns all cases of {@code corpus/KIND}: good, bad, or pending. */
    static List<CorpusCase> all(String kind) {
        Path directory = CORPUS.resolve(kind);
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> paths = Files.list(directory)) {
            return paths.filter(path -> !path.toString().endsWith(ERRORS))
                    .sorted()
                    .map(CorpusCase::new)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the name: {@code limit-clash}. */
    String name() {
        return path.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    }

    /** Returns the policy files of the case. */
    List<Path> files() {
        if (Files.isRegularFile(path)) {
            return List.of(path);
        }
        try (Stream<Path> paths = Files.list(path)) {
            return paths.filter(file -> file.toString().matches(".*\\.ya?ml"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the expected errors, from the file next to the case. */
    String expectedErrors() {
        try {
            return Files.readString(path.resolveSibling(name() + ERRORS)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Loads the policies in an environment with one valid key for hashes and one that is too short. */
    Policies load() throws PolicyErrors {
        return Policies.loader().environment(ENVIRONMENT::get).load(path);
    }

    /** Returns the errors of loading. File names are relative to the corpus. */
    List<PolicyError> errors() {
        try {
            load();
            return List.of();
        } catch (PolicyErrors e) {
            String directory = path.getParent() + File.separator;
            return e.errors().stream()
                    .map(error -> new PolicyError(
                            error.file().replace(directory, ""),
                            error.line(),
                            error.column(),
                            error.path(),
                            error.problem().replace(directory, ""),
                            error.text()))
                    .toList();
        }
    }

    /** Returns the text, with a replacement character for each byte that is not UTF-8. */
    static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String toString() {
        return name();
    }
}
