package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.server.SettingSamples.Sample;
import dev.penstock.server.internal.settings.Setting;
import dev.penstock.server.internal.settings.SettingTable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings from environment variables, and without any source. */
class SettingsReaderEnvironmentTest extends SettingsReaderFixture {
    @Test
    void samples_coverEverySetting() {
        assertThat(SettingSamples.samples().map(Sample::name))
                .containsExactlyElementsOf(
                        SettingTable.settings().stream().map(Setting::name).toList());
    }

    @ParameterizedTest
    @MethodSource("samples")
    void everySetting_isTakenFromItsVariable_beforeTheDefault(Sample sample) throws Exception {
        Setting<?> setting = setting(sample.name());
        givenBesides(sample);
        if (!sample.name().equals("policies")) {
            assertThat(entry(read(sample), sample.name()))
                    .isEqualTo(new SettingsInForce.Entry(sample.name(), setting.shownDefault(), "default"));
        }

        environment.put(setting.variable(), placed(sample.text()));
        assertThat(entry(read(), sample.name())).isEqualTo(shown(sample, setting.variable()));
    }

    /** Reads the sample, without the flags it needs if they would be refused alone. */
    private SettingsInForce read(Sample sample) throws SettingErrors {
        Map<String, List<String>> alone = new HashMap<>(flags);
        sample.besides().keySet().forEach(alone::remove);
        return SettingsReader.of(environment).flags(alone).read();
    }

    @Test
    void nothingGiven_usesTheDefaults() throws Exception {
        Path policies = Path.of("policies.yaml");

        SettingsInForce read = SettingsReader.of(Map.of())
                .flags(Map.of("policies", List.of("policies.yaml")))
                .read();

        assertThat(read.settings()).isEqualTo(ServerSettings.of(policies));
    }

    @Test
    void tokenInBothRoles_isRefused() throws Exception {
        givenPolicies();
        environment.put("PENSTOCK_ADMIN_TOKEN", TOKEN);
        environment.put("PENSTOCK_ADMIN_READ_TOKENS", TOKEN);

        assertThat(errors())
                .containsExactly("PENSTOCK_ADMIN_READ_TOKENS: a token twice (expected: each token once, in one role)");
    }

    @Test
    void auditFile_canBeTurnedOff() throws Exception {
        givenPolicies();
        assertThat(read().settings().admin().audit()).isEqualTo(AdminSettings.USUAL_AUDIT);
        environment.put("PENSTOCK_ADMIN_AUDIT_FILE", "off");
        assertThat(read().settings().admin().audit()).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = SettingSamples.BAD_VALUES)
    void badValue_isNamedWithItsVariableAndWhatWasExpected(String name, String text, String problem) {
        givenPolicies();
        Setting<?> setting = setting(name);
        environment.put(setting.variable(), text);
        assertThat(errors()).singleElement().asString().startsWith(setting.variable() + ": " + problem);
    }
}
