package dev.penstock.policy.envoy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.penstock.Clock;
import dev.penstock.policy.Policies;
import dev.penstock.policy.PolicyError;
import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.corpus.MutatedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Any file is either loaded as rules or refused. The converter then either refuses the rules or writes policies that
 * load.
 *
 * <p>Every run has a new seed, which is printed; {@code -Dpenstock.seed=N} repeats an earlier run.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EnvoyFuzzTest {
    private static final int FILES = 20_000;
    private static final long MOST_MICROS = 10_000_000;

    @Test
    void parse_mutatedCorpus_givesRulesOrErrors() throws IOException {
        long seed = Long.getLong("penstock.seed", ThreadLocalRandom.current().nextLong(1_000_000_000_000L));
        System.out.println("mutated rules from -Dpenstock.seed=" + seed);
        MutatedText texts = new MutatedText(new SplittableRandom(seed), corpus());
        Clock clock = Clock.system();
        long end = clock.micros() + MOST_MICROS;
        int converted = 0;
        for (int i = 0; i < FILES && clock.micros() < end; i++) {
            String text = texts.next();
            try {
                converted += isConverted(text) ? 1 : 0;
            } catch (RuntimeException | StackOverflowError | AssertionError e) {
                fail("-Dpenstock.seed=" + seed + ", file " + i + ":\n" + text, e);
            }
        }
        assertThat(converted).isPositive();
    }

    private static List<String> corpus() throws IOException {
        List<String> texts = new ArrayList<>();
        for (String folder : List.of("good", "bad", "convert", "refused")) {
            try (Stream<Path> files = Files.walk(EnvoyCorpusTest.folder(folder))) {
                for (Path file : files.filter(path -> path.toString().endsWith(".yaml")
                                && !path.toString().endsWith(EnvoyCorpusTest.POLICIES))
                        .sorted()
                        .toList()) {
                    texts.add(Files.readString(file));
                }
            }
        }
        return texts;
    }

    private static boolean isConverted(String text) {
        String policies;
        try {
            policies = EnvoyConverter.convert(EnvoyRules.parse("fuzz.yaml", text));
        } catch (PolicyErrors e) {
            checkPlaces(text, e.errors());
            return false;
        }
        try {
            Policies.parse("converted.yaml", policies);
        } catch (PolicyErrors e) {
            throw new AssertionError(policies, e);
        }
        return true;
    }

    private static void checkPlaces(String text, List<PolicyError> errors) {
        assertThat(errors).isNotEmpty().doesNotHaveDuplicates();
        long lines = text.lines().count();
        for (PolicyError error : errors) {
            assertThat(error.withLine()).isNotBlank();
            assertThat(error.toString()).doesNotContain("\n", "\r").hasSizeLessThan(2_000);
            boolean whole = error.line() == 0 && error.path().isEmpty();
            if (!whole) {
                assertThat((long) error.line()).as(error.toString()).isBetween(1L, lines + 1);
                assertThat(error.column()).as(error.toString()).isPositive();
            }
        }
    }
}
