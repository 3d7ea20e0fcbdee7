package dev.penstock.policy.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every policy under {@code examples/} loads, passes the schema that editors use, and is listed in the README there.
 */
class ExamplesTest {
    private static final Path EXAMPLES = Path.of("..", "examples");

    static List<CorpusCase> examples() throws IOException {
        try (Stream<Path> paths = Files.list(EXAMPLES)) {
            return paths.filter(
                            path -> Files.isDirectory(path) || path.toString().endsWith(".yaml"))
                    .sorted()
                    .map(CorpusCase::new)
                    .toList();
        }
    }

    @Test
    void examples_areTheOnesListedInTheReadme() throws IOException {
        String readme = Files.readString(EXAMPLES.resolve("README.md"));

        assertThat(examples())
                .hasSize(5)
                .allSatisfy(
                        each -> assertThat(readme).contains("(" + each.path().getFileName()));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void load_example_hasNoErrors(CorpusCase each) {
        assertThat(each.errors()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("examples")
    void schema_example_hasNoComplaints(CorpusCase each) {
        assertThat(PolicySchema.complaints(each)).isEmpty();
    }
}
