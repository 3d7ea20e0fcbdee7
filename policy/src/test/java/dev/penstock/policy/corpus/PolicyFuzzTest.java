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
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Any file is either loaded or refused: no other exception, no hang, no error without a position. The schema accepts
 * every file that the parser accepts.
 *
 * <p>Every run has a new seed, which is printed; {@code -Dpenstock.seed=N} repeats an earlier run.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PolicyFuzzTest {
    private static final int FILES = 30_000;
    private static final long MOST_MICROS = 6_000_000;

    private static final long SEED =
            Long.getLong("penstock.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));

    @Test
    void parse_mutatedCorpus_givesErrorsOrPoliciesThatTheSchemaAccepts() {
        System.out.println("mutated policies from -Dpenstock.seed=" + SEED);
        MutatedText texts = new MutatedText(new SplittableRandom(SEED), corpus());

        int good = run(
                texts::next,
                text -> assertThat(PolicySchema.complaints(text))
                        .as("the schema")
                        .isEmpty());
        assertThat(good).as("mutated files that are still valid").isPositive();
    }

    private static List<String> corpus() {
        return Stream.of("good", "bad")
                .flatMap(kind -> CorpusCase.all(kind).stream())
                .flatMap(each -> each.files().stream())
                .map(CorpusCase::text)
                .toList();
    }

    @Test
    void parse_randomPieces_givesPoliciesOrErrors() {
        System.out.println("random policies from -Dpenstock.seed=" + SEED);
        MutatedText texts = new MutatedText(new SplittableRandom(SEED), List.of(""));

        run(texts::pieces, text -> {});
    }

    /**
     * Passes the texts that are valid policies to the consumer. Returns their number. Tries as many texts as the time
     * allows.
     */
    private static int run(Supplier<String> texts, Consumer<String> policies) {
        Clock clock = Clock.system();
        long end = clock.micros() + MOST_MICROS;
        int good = 0;
        for (int i = 0; i < FILES && clock.micros() < end; i++) {
            String text = texts.get();
            try {
                if (errors(text).isEmpty()) {
                    good++;
                    policies.accept(text);
                }
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

    static Stream<ExtremeText> extremes() {
        return ExtremeText.all();
    }

    /** Relies on the timeout of the class, which is generous: the point is that no file takes minutes. */
    @ParameterizedTest
    @MethodSource("extremes")
    void parse_extreme_isRefused(ExtremeText extreme) {
        assertThat(errors(extreme.text().get())).isNotEmpty();
    }

    @Test
    void load_fileOfTenMegabytes_isRefusedWithoutReadingIt(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("large.yaml");
        Files.writeString(file, "version: 1\n" + "# a comment that goes on\n".repeat(420_000), StandardCharsets.UTF_8);

        assertThat(new CorpusCase(file).errors()).singleElement().satisfies(error -> {
            assertThat(error.line()).isZero();
            assertThat(error.problem()).contains("8 MiB");
        });
    }
}
