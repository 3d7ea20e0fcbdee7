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
    /** Where it lies, not where it is copied to: what was moved away stays in a copy. */
    private static final Path CORPUS = Path.of("src", "test", "resources", "corpus");

    private static final String ERRORS = ".errors";

    private static final Map<String, String> ENVIRONMENT =
            Map.of("PENSTOCK_HASH_KEY", "a key for tests, of 30 bytes..", "PENSTOCK_SHORT_KEY", "too short");

    /** All of {@code corpus/KIND}: good, bad, or pending. */
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

    /** Its name: {@code limit-clash}. */
    String name() {
        return path.getFileName().toString().replaceFirst("\\.ya?ml$", "");
    }

    /** The policy files that it is made of. */
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

    /** The errors that it gives, as the file beside it has them. */
    String expectedErrors() {
        try {
            return Files.readString(path.resolveSibling(name() + ERRORS)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The policies, where the environment has one good key for hashes and one that is too short. */
    Policies load() throws PolicyErrors {
        return Policies.loader().environment(ENVIRONMENT::get).load(path);
    }

    /** What loading finds wrong; each file goes by its name within the corpus. */
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

    /** The text, with a mark for each byte that is not UTF-8. */
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
