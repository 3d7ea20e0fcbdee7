package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.policy.Policies;
import dev.penstock.server.internal.settings.Setting;
import dev.penstock.server.internal.settings.SettingTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reference of the settings is correct. */
class SettingsDocsTest {
    private static final String HEAD = "| flag | file | variable | default | meaning |\n|---|---|---|---|---|\n";

    @TempDir
    Path directory;

    private static String document() throws IOException {
        return Files.readString(Path.of("../docs/reference/settings.md"));
    }

    private static String row(Setting<?> setting) {
        String shown = setting.shownDefault();
        return List.of(
                        setting.isSecret() ? "" : "`" + setting.flag() + "`",
                        setting.isSecret() ? "" : "`" + setting.name() + "`",
                        "`" + setting.variable() + "`",
                        shown.equals("none") ? "" : "`" + shown + "`",
                        setting.meaning())
                .stream()
                .reduce("|", (line, cell) -> line + " " + cell + (cell.isEmpty() ? "|" : " |"));
    }

    @Test
    void table_hasTheSettingsOfTheReader() throws IOException {
        String after = document().substring(document().indexOf(HEAD) + HEAD.length());

        assertThat(after.lines().takeWhile(line -> line.startsWith("|")))
                .containsExactlyElementsOf(SettingTable.settings().stream()
                        .map(SettingsDocsTest::row)
                        .toList());
    }

    @Test
    void file_canBeRead() throws Exception {
        Matcher yaml = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL).matcher(document());
        assertThat(yaml.find()).isTrue();
        Path config = Files.writeString(directory.resolve("penstock.yaml"), yaml.group(1));

        ServerSettings read = SettingsReader.of(Map.of()).config(config).read().settings();

        assertThat(read.policies()).containsExactly(directory.resolve("policies"));
        assertThat(read.gate().attributes()).containsEntry("x-tenant", "tenant");
    }

    /** The file's name is the first policy file that people see. */
    @Test
    void examplesOfTheLauncher_exist() throws Exception {
        assertThat(Policies.load(Path.of("../examples/public-api.yaml"))
                        .counts()
                        .policies())
                .isPositive();
        assertThat(Files.readString(Path.of("../penstock"))).contains("$root/examples/public-api.yaml");
    }
}
