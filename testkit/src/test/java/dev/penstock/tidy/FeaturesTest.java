package dev.penstock.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The list of features: each one has a test that asks from outside, as users do. */
class FeaturesTest {
    private static final Pattern TEST =
            Pattern.compile("\\[(\\w+)\\]\\(\\.\\./([\\w/]+/src/test/java/[\\w/]+\\.java)\\)");

    private static List<String> rows(String page) {
        return page.lines()
                .filter(line -> line.startsWith("| ") && !line.startsWith("| capability |"))
                .toList();
    }

    /** Returns the tests of a row, or nothing if one of them is not a test. */
    private static List<String> tests(String row) {
        String lastCell = row.substring(row.lastIndexOf(" | "));
        List<MatchResult> links = TEST.matcher(lastCell).results().toList();
        return links.stream().allMatch(FeaturesTest::isTest)
                ? links.stream().map(link -> link.group(1)).toList()
                : List.of();
    }

    private static boolean isTest(MatchResult link) {
        Path file = ProjectFiles.root().resolve(link.group(2));
        return link.group(2).matches(".*/" + link.group(1) + "\\.java")
                && link.group(1).matches("\\w+(IT|Test)")
                && Files.exists(file)
                && Pattern.compile("@(Parameterized|Repeated)?Test(Factory)?\\b|extends \\w+Contract")
                        .matcher(ProjectFiles.read(file))
                        .find();
    }

    /** Tests of these modules start what users start: the service, a gateway, a page, a command, or the library. */
    private static boolean asksFromOutside(String row) {
        return TEST.matcher(row.substring(row.lastIndexOf(" | ")))
                .results()
                .anyMatch(link -> link.group(2).matches("(server|cli|browser|umbrella|demo)/.*IT\\.java"));
    }

    @Test
    void everyFeature_hasATestFromOutside() {
        List<String> rows = rows(ProjectFiles.read(ProjectFiles.root().resolve("docs/features.md")));

        assertThat(rows).hasSizeGreaterThan(40);
        assertThat(rows).allSatisfy(row -> assertThat(tests(row)).as(row).isNotEmpty());
        assertThat(rows)
                .allSatisfy(row -> assertThat(asksFromOutside(row)).as(row).isTrue());
    }

    @Test
    void tests_rowWithoutATest_isFound() {
        assertThat(tests("| leaps | [how](java.md) |  |")).isEmpty();
        assertThat(tests("| leaps | [how](java.md) | [LeapIT](../core/src/test/java/dev/penstock/LeapIT.java) |"))
                .isEmpty();
        assertThat(asksFromOutside("| a | [b](c) | [LeapIT](../redis/src/test/java/dev/penstock/LeapIT.java) |"))
                .isFalse();
        assertThat(asksFromOutside("| a | [b](c) | [LeapIT](../cli/src/test/java/dev/penstock/LeapIT.java) |"))
                .isTrue();
        assertThat(tests("| requests | | [RequestTest](../core/src/test/java/dev/penstock/RequestTest.java) |"))
                .containsExactly("RequestTest");
    }
}
