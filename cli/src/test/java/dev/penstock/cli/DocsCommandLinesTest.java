package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every command line of the pages has a command and options that exist. This includes blocks that {@link DocsCommandsIT}
 * cannot run, for example because they name hosts.
 */
class DocsCommandLinesTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```(\\w*)\n(.*?)^ *```$");
    private static final Pattern COMMAND = Pattern.compile(
            "(?m)^ *(?:\\$ )?(?:\\./penstock|penstock|java -jar penstock-cli\\.jar) ((?:serve|admin|validate|explain|convert|schema)\\b(?:[^\n\\\\]|\\\\\n)*)");
    private static final Pattern WORD = Pattern.compile("'[^']*'|\"[^\"]*\"|[^\\s'\"]+");

    @TestFactory
    List<DynamicTest> everyCommandLine_canBeParsed() throws IOException {
        List<DynamicTest> tests = new ArrayList<>();
        for (Path page : pages()) {
            for (MatchResult block :
                    BLOCK.matcher(Files.readString(page)).results().toList()) {
                for (MatchResult line :
                        COMMAND.matcher(block.group(2)).results().toList()) {
                    String command = line.group(1).replace("\\\n", " ").replaceAll(" [#|>;&].*", "");
                    tests.add(DynamicTest.dynamicTest(ROOT.relativize(page) + ": " + command, () -> parse(command)));
                }
            }
        }
        assertThat(tests).hasSizeGreaterThan(20);
        return tests;
    }

    private static void parse(String command) {
        Output nowhere = new Output(new PrintWriter(Writer.nullWriter()), false);
        Surroundings surroundings = new Surroundings(nowhere, nowhere, Map.of(), () -> 0, List.of());
        String[] words = WORD.matcher(command)
                .results()
                .map(word -> word.group().replaceAll("^['\"]|['\"]$", ""))
                .toArray(String[]::new);

        assertThatCode(() -> PenstockMain.commandLine(surroundings).parseArgs(words))
                .doesNotThrowAnyException();
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
