package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.Policies;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PenstockMainTest {
    static Stream<Arguments> wrongLines() {
        return Stream.of(
                Arguments.of("", "penstock: no command (try: penstock --help)"),
                Arguments.of("admin", "penstock admin: no command (try: penstock admin --help)"),
                Arguments.of("admin keys", "penstock admin keys: no command (try: penstock admin keys --help)"),
                Arguments.of("admin stats", "penstock admin: stats: no such command (did you mean status?)"),
                Arguments.of("validat x", "penstock: validat: no such command (did you mean validate?)"),
                Arguments.of("validate", "penstock validate: FILE: missing (try: penstock validate --help)"),
                Arguments.of("validate --jsn x", "penstock validate: --jsn: no such option (did you mean --json?)"),
                Arguments.of(
                        "validate --merge-domains x",
                        "penstock validate: --merge-domains: without --envoy (expected: --envoy --merge-domains)"),
                Arguments.of("explain a=b", "penstock explain: --policies: missing (try: penstock explain --help)"),
                Arguments.of(
                        "explain --polices x",
                        "penstock explain: --polices: no such option (did you mean --policies?)"),
                Arguments.of("explain -p x a", "penstock explain: attribute: a (expected: NAME=VALUE)"),
                Arguments.of("explain -p x =a", "penstock explain: attribute: =a (expected: NAME=VALUE)"),
                Arguments.of("explain -p x a=b a=c", "penstock explain: attribute: a twice (expected: each only once)"),
                Arguments.of(
                        "explain -p x --cost 5",
                        "penstock explain: --cost: 5 (expected: UNIT=NUMBER, such as tokens=1200)"),
                Arguments.of(
                        "explain -p x --cost a=-1",
                        "penstock explain: --cost: -1 (expected: a whole number such as 100, 10_000, 40k or 1.5M)"),
                Arguments.of(
                        "explain -p x --cost a=1 --cost a=2",
                        "penstock explain: --cost: a twice (expected: each only once)"),
                Arguments.of("explain -p x --repeat 0", "penstock explain: --repeat: 0 (expected: 1 to 1000000)"),
                Arguments.of(
                        "explain -p x --repeat 1000001",
                        "penstock explain: --repeat: 1000001 (expected: 1 to 1000000)"),
                Arguments.of(
                        "explain -p x --at soon",
                        "penstock explain: --at: soon (expected: a day such as 2026-12-24, or a moment such as"
                                + " 2026-12-24T18:00:00Z)"),
                Arguments.of(
                        "explain -p x --at 2200-01-01",
                        "penstock explain: --at: 2200-01-01 (expected: a moment from 1970-01-01T00:00:00Z to"
                                + " 2200-01-01T00:00:00Z)"),
                Arguments.of("convert x --force", "penstock convert: --force: without -o (expected: -o FILE --force)"),
                Arguments.of("schema x", "penstock schema: x: one argument too many (try: penstock schema --help)"),
                Arguments.of("completion fish", "penstock completion: SHELL: fish (expected: bash or zsh)"));
    }

    @ParameterizedTest
    @MethodSource("wrongLines")
    void execute_wrongLine_isOneLineAndStatus2(String line, String expected) {
        Run run = Run.of(line.isEmpty() ? new String[0] : line.split(" "));

        assertThat(run.err()).isEqualTo(expected + "\n");
        assertThat(run.out()).isEmpty();
        assertThat(run.status()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"admin", "validate", "explain", "convert", "schema", "completion"})
    void help_everyCommand_hasAnExample(String command) {
        Run run = Run.of(command, "--help");

        assertThat(run.status()).isZero();
        assertThat(run.out())
                .startsWith("Usage: penstock " + command)
                .containsPattern("\nExamples?:\n  .*penstock " + command);
        assertThat(run.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
        assertThat(Run.of("--help").out()).contains("\n  " + command + " ");
    }

    @Test
    void help_onATerminal_isColored() {
        assertThat(Run.of("validate", "--help").out()).doesNotContain("\u001b");
        assertThat(Run.of(Run.Eye.TERMINAL, Map.of(), "validate", "--help").out())
                .contains("\u001b[");
    }

    @Test
    void version_isThatOfTheBuild() {
        assertThat(Run.of("--version").out()).matches("penstock \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
        assertThat(Run.of("explain", "--version").out())
                .isEqualTo(Run.of("--version").out());
    }

    @Test
    void schema_isPrintedUnchanged() {
        Run run = Run.of("schema");

        assertThat(run.out()).isEqualTo(Policies.schema());
        assertThat(run.json().get("title").asText()).isEqualTo("Penstock policies");
    }

    @Test
    void argumentsThatBeginWithAt_areNotFiles() {
        assertThat(Run.of("explain", "-p", "FILES/candidate.yaml", "user=@FILES/bad.yaml")
                        .out())
                .contains("key       user=@" + Run.FILES + "bad.yaml\n");
        assertThat(Run.of("validate", "@FILES/bad.yaml").err()).startsWith("@FILES/bad.yaml: no such file\n");
    }
}
