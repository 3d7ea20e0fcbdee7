package dev.penstock.bench.harness;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The repository that the benchmark was built from.
 *
 * @param commit empty if git cannot determine it
 * @param dirty true if any file other than results differs from the commit
 */
public record SourceTree(Path root, Optional<String> commit, boolean dirty) {
    private static final String LAUNCHER = "penstock";

    /** Searches for the launcher upwards from the jar, then from the working directory. */
    public static SourceTree find() throws BenchFailure {
        for (Path start : List.of(ownPlace(), Path.of("").toAbsolutePath())) {
            for (@Nullable Path at = start; at != null; at = at.getParent()) {
                if (Files.isRegularFile(at.resolve(LAUNCHER)) && Files.isRegularFile(at.resolve("pom.xml"))) {
                    return at(at);
                }
            }
        }
        throw new BenchFailure("no repository above the jar or the working directory (expected: one with ./penstock)");
    }

    private static SourceTree at(Path root) {
        Optional<String> commit = git(root, "rev-parse", "HEAD");
        boolean dirty = git(root, "status", "--porcelain", "--", ".", ":!bench/results")
                .map(changes -> !changes.isEmpty())
                .orElse(false);
        return new SourceTree(root, commit, dirty);
    }

    private static Optional<String> git(Path root, String... arguments) {
        String[] command = new String[arguments.length + 3];
        command[0] = "git";
        command[1] = "-C";
        command[2] = root.toString();
        System.arraycopy(arguments, 0, command, 3, arguments.length);
        return ChildProcess.output(command);
    }

    private static Path ownPlace() throws BenchFailure {
        try {
            return Path.of(SourceTree.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new BenchFailure("the location of the jar", e);
        }
    }

    public Path benchLog() {
        return root.resolve("bench").resolve("target").resolve("bench.log");
    }

    public Path result(String fileName) {
        return root.resolve("bench").resolve("results").resolve(fileName);
    }

    /** Returns a file that is not tracked by Git. */
    public Path scratch(String fileName) {
        return root.resolve("bench").resolve("target").resolve(fileName);
    }
}
