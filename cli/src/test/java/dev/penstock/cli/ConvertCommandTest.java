package dev.penstock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.Policies;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConvertCommandTest {
    @TempDir
    Path directory;

    @Test
    void convert_toStandardOutput_isAPolicyFileAndNothingElse() throws Exception {
        Run run = Run.of("convert", "FILES/envoy/basic.yaml");

        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(Policies.parse("converted", run.out()).counts().policies()).isEqualTo(3);
        assertThat(run.out()).contains("    limits: [ { key: [tenant], fixed_window: 100/min } ]\n");
    }

    @Test
    void convert_whatPoliciesCannotExpress_isRefusedByName() {
        Run run = Run.of("convert", "FILES/refused.yaml");

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .contains("descriptors[0]: replaces: other (expected: ")
                .contains("descriptors[1]: value: *-bot (expected: ")
                .endsWith("2 errors in 1 file\n");
    }

    @Test
    void convert_asJson_hasThePoliciesOrTheRefusals() {
        Run converted = Run.of("convert", "--json", "FILES/envoy/basic.yaml");
        Run refused = Run.of("convert", "--json", "FILES/refused.yaml");

        assertThat(converted.json().get("converted").asBoolean()).isTrue();
        assertThat(converted.json().get("policies").asText())
                .isEqualTo(Run.of("convert", "FILES/envoy/basic.yaml").out());
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).isEmpty();
        assertThat(refused.json().get("converted").asBoolean(true)).isFalse();
        assertThat(refused.json().get("errors")).hasSize(2);
    }

    @Test
    void convert_toAFile_writesOnlyANewFile() throws Exception {
        Path file = directory.resolve("policies.yaml");
        String[] command = {"convert", "FILES/envoy/basic.yaml", "-o", file.toString()};

        Run first = Run.of(command);
        String written = Files.readString(file);
        Files.writeString(file, "mine");
        Run second = Run.of(command);

        assertThat(first.status()).isZero();
        assertThat(first.out()).isEmpty();
        assertThat(first.err()).isEqualTo("written: " + file + "\n");
        assertThat(written)
                .isEqualTo(Run.of("convert", "FILES/envoy/basic.yaml").out());
        assertThat(second.status()).isEqualTo(1);
        assertThat(second.err())
                .isEqualTo("penstock convert: -o: " + file + " exists (expected: a new file, or --force)\n");
        assertThat(file).hasContent("mine");
    }

    @Test
    void convert_force_overwritesAFileUnlessRefused() throws Exception {
        Path file = Files.writeString(directory.resolve("policies.yaml"), "mine ".repeat(1_000));

        Run refused = Run.of("convert", "FILES/refused.yaml", "--force", "-o", file.toString());
        assertThat(refused.status()).isEqualTo(1);
        assertThat(file).hasContent("mine ".repeat(1_000));

        Run forced = Run.of("convert", "FILES/envoy/basic.yaml", "--force", "--json", "-o", file.toString());
        assertThat(forced.json().get("file").asText()).isEqualTo(file.toString());
        assertThat(Files.readString(file)).startsWith("# Rules").doesNotContain("mine");
    }

    @Test
    void convert_toAMissingDirectory_isOneLine() {
        Path file = directory.resolve("none").resolve("policies.yaml");

        Run run = Run.of("convert", "FILES/envoy/basic.yaml", "-o", file.toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo("penstock convert: -o: " + file + " (expected: a file in a directory that exists)\n");
    }
}
