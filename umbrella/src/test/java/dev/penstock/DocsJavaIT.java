package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.testkit.docs.JavaSnippet;
import dev.penstock.testkit.server.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Compiles and runs every Java block in the README and the docs, against a real Redis. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocsJavaIT {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final String ADDRESS_IN_PAGES = "redis://localhost:6379";

    private final RedisServer redis = RedisServer.start();

    @TempDir
    Path classes;

    @AfterAll
    void stop() {
        redis.close();
    }

    @TestFactory
    List<DynamicTest> everyJavaBlock_compilesAndRuns() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            String name = ROOT.relativize(page).toString();
            String text = Files.readString(page).replace(ADDRESS_IN_PAGES, redis.uri());
            for (JavaSnippet snippet : JavaSnippet.in(name, text)) {
                tests.add(DynamicTest.dynamicTest(snippet.place(), () -> {
                    redis.command("FLUSHALL");
                    snippet.compileAndRun(Files.createTempDirectory(classes, "snippet"));
                }));
            }
        }
        assertThat(tests).hasSizeGreaterThan(15);
        return tests;
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            files.filter(file -> file.toString().endsWith(".md")))
                    .sorted()
                    .toList();
        }
    }
}
