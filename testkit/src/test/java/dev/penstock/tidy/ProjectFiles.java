package dev.penstock.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The location of the project, and the files that the tests of this package read. */
final class ProjectFiles {
    private ProjectFiles() {}

    /** Returns the directory of the launcher, searched from the working directory upwards. */
    static Path root() {
        Path start = Path.of(System.getProperty("user.dir")).toAbsolutePath();
        for (Path directory = start; directory != null; directory = directory.getParent()) {
            if (Files.isRegularFile(directory.resolve("penstock"))) {
                return directory;
            }
        }
        throw new IllegalStateException("user.dir: " + start + " (expected: inside the project)");
    }

    /** Returns the names of the directories that are Maven modules, sorted. */
    static List<String> modules() {
        try (Stream<Path> children = Files.list(root())) {
            return children.filter(child -> Files.isRegularFile(child.resolve("pom.xml")))
                    .map(child -> child.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns every Java source of every module, main and test. */
    static List<JavaSource> sources() {
        return modules().stream()
                .flatMap(module -> under(module + "/src").stream())
                .toList();
    }

    /** Returns the Java sources under a directory, given relative to the root; empty if it does not exist. */
    static List<JavaSource> under(String directory) {
        Path root = root();
        Path start = root.resolve(directory);
        if (!Files.isDirectory(start)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(start)) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .sorted()
                    .map(file -> JavaSource.of(slashed(root.relativize(file)), read(file)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String slashed(Path path) {
        return path.toString().replace('\\', '/');
    }
}
