package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompletionCommandTest {
    @TempDir
    static Path directory;

    private static Path script;

    @BeforeAll
    static void write() throws IOException {
        script = Files.writeString(
                directory.resolve("completion.sh"), Run.of("completion").out());
        Files.writeString(directory.resolve("policies.yaml"), "version: 1\n");
    }

    @Test
    void completion_bothShells_haveOneScript() {
        assertThat(Run.of("completion", "zsh"))
                .isEqualTo(Run.of("completion", "bash"))
                .isEqualTo(Run.of("completion"));
    }

    /** Completes the text after the last space, in a real bash. */
    @ParameterizedTest
    @CsvSource({
        "penstock val, validate",
        "penstock expl, explain",
        "penstock ben, bench",
        "penstock bench re, redis",
        "penstock bench po, policy",
        "penstock validate --js, --json",
        "penstock explain --re, --repeat",
        "penstock validate pol, policies.yaml",
        "penstock explain -p pol, policies.yaml",
        "penstock convert pol, policies.yaml",
        "penstock completion z, zsh",
        "penstock test --s, --seed",
        "penstock test --q, --quick",
    })
    void completion_inBash_completes(String line, String expected) throws Exception {
        String words = String.join(
                " ",
                List.of(line.split(" ")).stream().map(word -> "'" + word + "'").toList());
        String program = "source '" + script + "'; COMP_WORDS=(" + words + "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); "
                + "_complete_penstock; printf '%s\\n' \"${COMPREPLY[@]}\"";

        Bash bash = Bash.run(directory, program);

        assertThat(bash.status()).as(bash.out()).isZero();
        assertThat(bash.out().lines().map(String::strip)).contains(expected);
    }
}
