package dev.penstock.policy.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.penstock.Clock;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyErrors;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever a file holds, it is policies or it is refused: no other exception, no hang, no error without a place.
 *
 * <p>Every run has a new seed, which is printed; {@code -Dpenstock.seed=N} repeats an earlier one.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PolicyFuzzTest {
    private static final int FILES = 30_000;
    private static final long MOST_MICROS = 10_000_000;

    private static final long SEED =
            Long.getLong("penstock.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));

    @Test
    void parse_mutatedCorpus_isPoliciesOrErrors() {
        List<String> corpus = Stream.of("good", "bad")
                .flatMap(kind -> CorpusCase.all(kind).stream())
                .flatMap(each -> each.files().stream())
                .map(CorpusCase::text)
                .toList();
        System.out.println("mutated policies from -Dpenstock.seed=" + SEED);
        MutatedText texts = new MutatedText(new SplittableRandom(SEED), corpus);

        assertThat(run(texts::next)).as("files that are policies still").isPositive();
    }

    @Test
    void parse_randomPieces_isPoliciesOrErrors() {
        System.out.println("random policies from -Dpenstock.seed=" + SEED);
        MutatedText texts = new MutatedText(new SplittableRandom(SEED), List.of(""));

        run(texts::pieces);
    }

    /** How many of the texts were policies; as many are tried as the time allows. */
    private static int run(Supplier<String> texts) {
        Clock clock = Clock.system();
        long end = clock.micros() + MOST_MICROS;
        int good = 0;
        for (int i = 0; i < FILES && clock.micros() < end; i++) {
            String text = texts.get();
            try {
                good += errors(text).isEmpty() ? 1 : 0;
            } catch (RuntimeException | StackOverflowError | AssertionError e) {
                fail("-Dpenstock.seed=" + SEED + ", file " + i + ":\n" + text, e);
            }
        }
        return good;
    }

    private static List<PolicyError> errors(String text) {
        try {
            Policies.loader().environment(name -> "a key of more than 16 bytes").parse("fuzz.yaml", text);
            return List.of();
        } catch (PolicyErrors e) {
            checkPlaces(text, e.errors());
            return e.errors();
        }
    }

    private static void checkPlaces(String text, List<PolicyError> errors) {
        assertThat(errors).isNotEmpty().doesNotHaveDuplicates();
        long lines = text.lines().count();
        for (PolicyError error : errors) {
            assertThat(error.withLine()).isNotBlank();
            assertThat(error.toString()).doesNotContain("\n", "\r");
            boolean whole =
                    error.line() == 0 && error.column() == 0 && error.path().isEmpty();
            if (!whole) {
                assertThat((long) error.line()).as(error.toString()).isBetween(1L, lines + 1);
                assertThat(error.column()).as(error.toString()).isPositive();
            }
        }
    }

    static Stream<Arguments> extremes() {
        int many = 4 << 20;
        String limit = "version: 1\npolicies:\n  - name: a\n    limits: [ { key: user, token_bucket: ";
        String before = "version: 1\npolicies:\n  - name: a\n    limits: [ { token_bucket: 1/s, key: user, ";
        return Stream.of(
                Arguments.of("lists in lists", "version: 1\npolicies: " + "[".repeat(many)),
                Arguments.of("mappings in mappings", "version: 1\npolicies: " + "{a: ".repeat(many / 4)),
                Arguments.of(
                        "indented ever deeper",
                        IntStream.range(0, 2_500)
                                .mapToObj(i -> " ".repeat(i) + "a:\n")
                                .reduce(new StringBuilder(), StringBuilder::append, StringBuilder::append)
                                .toString()),
                Arguments.of("a bomb of aliases in lists", "version: 1\n" + bomb("[", "]", "policies")),
                Arguments.of("a bomb of aliases in mappings", "version: 1\n" + bomb("{", "}", "plans")),
                Arguments.of("a rate of many digits", limit + "9".repeat(many) + "/s } ]\n"),
                Arguments.of("a rate of many spaces", limit + "1" + " ".repeat(many) + "x } ]\n"),
                Arguments.of("a rate of many spaces and units", limit + "1 per 1s" + " 1s".repeat(many / 4) + " } ]\n"),
                Arguments.of("a calendar of many spaces", limit + "1 per calendar" + " ".repeat(many) + "x y } ]\n"),
                Arguments.of("a burst of many digits", before + "burst: 1." + "0".repeat(many) + " } ]\n"),
                Arguments.of("a time of many units", before + "block_for: " + "1s".repeat(many / 2) + " } ]\n"),
                Arguments.of("a unit of many letters", before + "unit: " + "a".repeat(many) + ", cost: 1 } ]\n"),
                Arguments.of("a key of many slashes", limit + "1/s } ]\n  - key: a" + "/".repeat(many) + "\n"),
                Arguments.of(
                        "a route of many segments",
                        "version: 1\nroutes: [ " + "/a".repeat(many / 2) + ", " + "/*".repeat(many / 2) + " ]\n"),
                Arguments.of(
                        "an address of many groups",
                        "version: 1\ndeny: [ { name: a, match: { ip: \"" + "1:".repeat(many / 2) + "\" } } ]\n"),
                Arguments.of("many unknown words", lines("version: 1\n", 200_000, i -> "polices" + i + ": 1\n")),
                Arguments.of(
                        "many tenants without their plan",
                        lines("version: 1\nplans:\n", 20_000, i -> "  plan-" + i + ": { a: 1/s }\n")
                                + lines("tenants:\n", 100_000, i -> "  t" + i + ": plam-" + i + "\n")),
                Arguments.of(
                        "many limits of one counter",
                        lines(
                                "version: 1\npolicies:\n  - name: a\n    limits:\n",
                                60_000,
                                i -> "    - { key: user, token_bucket: 10/s }\n")),
                Arguments.of(
                        "many policies of one name",
                        lines(
                                "version: 1\npolicies:\n",
                                60_000,
                                i -> "- { name: a, limits: [ { key: user, token_bucket: 10/s } ] }\n")),
                Arguments.of("many documents", "---\nversion: 1\n".repeat(300_000)),
                Arguments.of("a quote that does not end", "version: \"" + "1\n".repeat(many / 2)),
                Arguments.of("nothing but spaces", " ".repeat(many)),
                Arguments.of("nothing but tabs", "\t".repeat(many)),
                Arguments.of("nothing but lines", "\n".repeat(many)),
                Arguments.of("nothing but dashes", "- ".repeat(many / 2)),
                Arguments.of("nothing but questions", "? ".repeat(many / 2)),
                Arguments.of("nothing but anchors", "&a ".repeat(many / 4)),
                Arguments.of("nothing but zeros", "\0".repeat(many)));
    }

    private static String lines(String head, int count, IntFunction<String> line) {
        StringBuilder text = new StringBuilder(head);
        for (int i = 0; i < count; i++) {
            text.append(line.apply(i));
        }
        return text.toString();
    }

    private static String bomb(String open, String close, String word) {
        StringBuilder text = new StringBuilder("a0: &a0 x\n");
        for (int i = 1; i <= 40; i++) {
            text.append("a").append(i).append(": &a").append(i).append(' ').append(open);
            for (int k = 0; k < 10; k++) {
                text.append(k == 0 ? "" : ", ")
                        .append(open.equals("{") ? "k" + k + ": " : "")
                        .append("*a")
                        .append(i - 1)
                        .append(' ');
            }
            text.append(close).append('\n');
        }
        return text + word + ": *a40\n";
    }

    /** Within the bound of the whole class: generous, since what is meant is that none takes minutes. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("extremes")
    void parse_extreme_isRefusedQuickly(String unusedName, String text) {
        assertThat(errors(text)).isNotEmpty();
    }

    @Test
    void load_fileOfTenMegabytes_isRefusedUnread(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("large.yaml");
        Files.writeString(file, "version: 1\n" + "# a comment that goes on\n".repeat(420_000), StandardCharsets.UTF_8);

        assertThat(new CorpusCase(file).errors()).singleElement().satisfies(error -> {
            assertThat(error.line()).isZero();
            assertThat(error.problem()).contains("8 MiB");
        });
    }

    @Test
    void parse_textOfTenMegabytes_isRefused() {
        assertThat(errors("version: 1\n" + "# a comment that goes on\n".repeat(420_000)))
                .isNotEmpty();
    }
}
