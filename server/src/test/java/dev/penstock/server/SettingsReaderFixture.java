package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.penstock.server.internal.settings.Setting;
import dev.penstock.server.internal.settings.SettingTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Reads settings from a file, flags and variables that a test has set. */
abstract class SettingsReaderFixture {
    static final String TOKEN = SettingSamples.TOKEN;

    @TempDir
    Path directory;

    final Map<String, String> environment = new HashMap<>();
    final Map<String, List<String>> flags = new HashMap<>();
    Path config = Path.of("");

    @BeforeEach
    void files() throws IOException {
        config = directory.resolve("penstock.yaml");
        Files.writeString(directory.resolve("one-token"), TOKEN + "\n");
        Files.writeString(directory.resolve("named-tokens"), "ann the-token-of-ann\nthe-token-of-whoever\n");
        Files.writeString(directory.resolve("bad-names"), "ann the-token-of-ann\na/b the-token-of-whoever\n");
        Files.writeString(directory.resolve("some.pem"), "");
    }

    SettingsInForce read() throws SettingErrors {
        SettingsReader reader = SettingsReader.of(environment).flags(flags);
        return Files.exists(config) ? reader.config(config).read() : reader.read();
    }

    final List<String> errors() {
        SettingErrors thrown = catchThrowableOfType(SettingErrors.class, this::read);
        assertThat(thrown).as("expected errors").isNotNull();
        return thrown.errors().stream()
                .map(error -> error.toString().replace(directory + "/", ""))
                .toList();
    }

    final void givenPolicies() {
        flags.put("policies", List.of("policies.yaml"));
    }

    final void config(String... lines) throws IOException {
        Files.writeString(config, String.join("\n", lines) + "\n");
    }

    static SettingsInForce.Entry entry(SettingsInForce read, String name) {
        return read.entries().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static Setting<?> setting(String name) {
        return SettingTable.settings().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static Stream<SettingSamples.Sample> samples() {
        return SettingSamples.samples();
    }

    /** Returns the samples without secrets, which can come only from variables. */
    static Stream<SettingSamples.Sample> samplesOfNoSecrets() {
        return samples().filter(sample -> !setting(sample.name()).isSecret());
    }

    /** Sets the flags that the sample needs. */
    final void givenBesides(SettingSamples.Sample sample) {
        givenPolicies();
        sample.besides().forEach((name, texts) -> flags.put(name, List.of(placed(texts.get(0)))));
        flags.remove(sample.name());
    }

    final void givenInFile(SettingSamples.Sample sample) throws IOException {
        int depth = sample.name().split("[.]", -1).length - 1;
        config("# settings", sample.name().replace(".", ": { ") + ": " + sample.yaml() + " }".repeat(depth));
    }

    /** Returns the expected entry of the sample for a value from the source. */
    final SettingsInForce.Entry shown(SettingSamples.Sample sample, String source) {
        return new SettingsInForce.Entry(sample.name(), placed(sample.shown()), source);
    }

    final String placed(String text) {
        return text.replace("DIR", directory.toString());
    }
}
