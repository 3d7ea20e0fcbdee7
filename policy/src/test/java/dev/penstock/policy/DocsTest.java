package dev.penstock.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Loads every policy file that the docs show. */
class DocsTest {
    private static final Path DOCS = Path.of("..", "docs");
    private static final Pattern BLOCK = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);

    @TestFactory
    List<DynamicTest> everyPolicyFileInTheDocs_loads() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        try (var files = Files.walk(DOCS)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".md"))
                    .sorted()
                    .toList()) {
                Matcher blocks = BLOCK.matcher(Files.readString(file));
                while (blocks.find()) {
                    String text = blocks.group(1);
                    if (text.startsWith("version: 1")) {
                        tests.add(DynamicTest.dynamicTest(
                                file.getFileName() + " at " + blocks.start(),
                                () -> Policies.loader().withoutSecrets().parse("docs", text)));
                    }
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(8);
        return tests;
    }
}
