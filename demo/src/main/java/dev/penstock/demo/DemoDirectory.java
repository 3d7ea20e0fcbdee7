package dev.penstock.demo;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary directory with the policies, which users may edit there, and the files that the service writes. */
record DemoDirectory(Path path) implements AutoCloseable {
    static DemoDirectory create() throws IOException {
        DemoDirectory directory = new DemoDirectory(Files.createTempDirectory("penstock-demo-"));
        try (InputStream policies = DemoDirectory.class.getResourceAsStream("policies.yaml")) {
            if (policies == null) {
                throw new FileNotFoundException("policies.yaml: not in the jar (expected: included)");
            }
            long unused = Files.copy(policies, directory.policies());
            return directory;
        }
    }

    Path policies() {
        return path.resolve("policies.yaml");
    }

    Path audit() {
        return path.resolve("audit.jsonl");
    }

    /** Deletes the directory, including files that editors left there. */
    @Override
    public void close() {
        try (Stream<Path> all = Files.walk(path)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
