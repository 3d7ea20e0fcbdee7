package dev.penstock.policy.envoy;

import static dev.penstock.policy.envoy.DomainRules.LEVELS;
import static dev.penstock.policy.envoy.DomainRules.counted;
import static dev.penstock.policy.envoy.DomainRules.limit;
import static dev.penstock.policy.envoy.DomainRules.rules;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.penstock.policy.PolicyErrors;
import dev.penstock.policy.envoy.EnvoyRules.SameDomain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests how files of rules are read: several files, the YAML features that envoyproxy/ratelimit supports, and the
 * version.
 */
class EnvoyFilesTest {
    @Test
    void load_mergedDomain_hasTheDescriptorsOfAllFilesInTheirOrder(@TempDir Path directory) throws Exception {
        write(directory.resolve("1.yaml"), "d", "fo*", 1);
        write(directory.resolve("2.yml"), "e", "v", 3);
        write(directory.resolve("3.yaml"), "d", "f*", 2);
        write(directory.resolve("notes.txt"), "d", "f*", 2);
        EnvoyRules rules = EnvoyRules.loader().sameDomain(SameDomain.MERGED).load(List.of(directory));

        assertThat(rules.domains()).containsExactlyInAnyOrder("d", "e");
        assertThat(limit(rules, "k", "foo")).isEqualTo(1);
        assertThat(limit(rules, "k", "far")).isEqualTo(2);
    }

    private static void write(Path file, String domain, String value, int requests) throws IOException {
        String limit = "{ unit: hour, requests_per_unit: " + requests + " }";
        Files.writeString(
                file,
                "{ domain: " + domain + ", descriptors: [ { key: k, value: " + value + ", rate_limit: " + limit
                        + " } ] }");
    }

    @Test
    void load_missingFile_isReportedByName(@TempDir Path directory) {
        assertThatExceptionOfType(PolicyErrors.class)
                .isThrownBy(() -> EnvoyRules.load(directory.resolve("none.yaml")))
                .withMessage(directory.resolve("none.yaml") + ": no such file");
    }

    @Test
    void parse_linesOfWindows_areLines() throws PolicyErrors {
        assertThat(limit(rules(LEVELS.replace("\n", "\r\n")), "a", "x", "b", "y"))
                .isEqualTo(3);
    }

    @Test
    void parse_aliasesAndMergeKeys_areFollowed() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - key: a
                    rate_limit: &usual { unit: hour, requests_per_unit: 1 }
                  - key: b
                    rate_limit: *usual
                  - key: c
                    rate_limit: { <<: *usual, requests_per_unit: 2 }
                  - key: e
                    rate_limit: { requests_per_unit: 3, <<: [ *usual ] }
                """);

        assertThat(limit(rules, "b", "v")).isEqualTo(1);
        assertThat(limit(rules, "c", "v")).isEqualTo(2);
        assertThat(limit(rules, "e", "v")).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"10, 10", "1_000, 1000", "0x10, 16", "010, 8", "0o10, 8", "0b101, 5", "+7, 7"})
    void parse_requestsPerUnit_isReadAsInEnvoy(String written, long expected) throws PolicyErrors {
        EnvoyRules rules = rules("{ domain: d, descriptors: [ { key: k, rate_limit: { unit: hour, requests_per_unit: "
                + written + " } } ] }");

        assertThat(limit(rules, "k", "v")).isEqualTo(expected);
    }

    @Test
    void parse_wordWithoutEffect_isIgnoredAndReported() throws PolicyErrors {
        EnvoyRules rules = rules("""
                domain: d
                descriptors:
                  - key: k
                    rate_limit: { unit: hour, requests_per_unit: 1, shadow_mode: true }
                """);

        assertThat(counted(rules, EnvoyDescriptor.of("k", "v")).rule().isShadow())
                .isFalse();
        assertThat(rules.ignored())
                .extracting(Object::toString)
                .containsExactly("rules.yaml:4:66 descriptors[0].rate_limit.shadow_mode: has no effect here "
                        + "(expected: one of unit, requests_per_unit, unlimited, name, replaces)");
    }

    @Test
    void version_hashDependsOnTheContents() throws PolicyErrors {
        String other = LEVELS.replace("requests_per_unit: 5", "requests_per_unit: 6");
        EnvoyRules rules = EnvoyRules.loader().number(7).parse("renamed.yaml", LEVELS);

        assertThat(rules.version().number()).isEqualTo(7);
        assertThat(rules.version().hash())
                .isEqualTo(rules(LEVELS).version().hash())
                .isNotEqualTo(rules(other).version().hash());
        assertThat(counted(rules, EnvoyDescriptor.of("a", "x"))
                        .charge()
                        .settings()
                        .version())
                .isEqualTo(rules.version());
        assertThat(counted(rules, EnvoyDescriptor.of("a", "x").limit(1, EnvoyUnit.DAY))
                        .charge()
                        .settings()
                        .version())
                .isEqualTo(rules.version());
    }
}
