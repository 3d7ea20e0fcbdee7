package dev.penstock.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.server.SettingSamples.Sample;
import dev.penstock.server.internal.settings.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Settings from flags, and from files that flags name. */
class SettingsReaderFlagTest extends SettingsReaderFixture {
    @ParameterizedTest
    @MethodSource("samplesOfNoSecrets")
    void everySetting_isTakenFromItsFlag_beforeTheFileAndItsVariable(Sample sample) throws Exception {
        Setting<?> setting = setting(sample.name());
        givenBesides(sample);
        environment.put(setting.variable(), placed(sample.text()));
        givenInFile(sample);
        flags.put(sample.name(), List.of(placed(sample.text())));
        assertThat(entry(read(), sample.name())).isEqualTo(shown(sample, setting.flag()));
    }

    @Test
    void badNamesOfTokens_areRefused_withoutShowingTheLine() {
        givenPolicies();
        flags.put("admin.token_file", List.of(directory.resolve("bad-names").toString()));

        assertThat(errors())
                .singleElement()
                .asString()
                .contains("(expected: in line 2 a name of 1 to 64 letters")
                .doesNotContain("the-token-of");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = SettingSamples.BAD_VALUES)
    void badValue_isNamedWithItsFlagAndWhatWasExpected(String name, String text, String problem) {
        givenPolicies();
        Setting<?> setting = setting(name);
        flags.put(name, List.of(text));
        assertThat(errors()).singleElement().asString().startsWith(setting.flag() + ": " + problem);
    }

    @Test
    void redisPassword_comesFromAFile_andIsNeverShown() throws Exception {
        givenPolicies();
        Path file = Files.writeString(directory.resolve("password"), "p@ss/word +%\n");
        flags.put("redis", List.of("rediss://app:@redis.internal:6380/2"));
        flags.put("redis_password_file", List.of(file.toString()));

        SettingsInForce read = read();

        assertThat(read.settings().redis())
                .isEqualTo(new RedisUri("rediss://app:p%40ss%2Fword%20%2B%25@redis.internal:6380/2"));
        assertThat(read.entries().toString()).doesNotContain("ss/word").doesNotContain("%2Fword");
        flags.put("redis", List.of("redis://redis.internal"));
        assertThat(read().settings().redis()).isEqualTo(new RedisUri("redis://:p%40ss%2Fword%20%2B%25@redis.internal"));
    }

    @Test
    void redisPasswordGivenTwice_orWithoutRedis_orWithoutAFile_isRefused() throws Exception {
        givenPolicies();
        Path file = Files.writeString(directory.resolve("password"), "secret\n");
        flags.put("redis_password_file", List.of(file.toString()));
        assertThat(errors()).singleElement().asString().contains("given without redis");
        flags.put("redis", List.of("redis://app:hunter2@redis.internal"));
        assertThat(errors())
                .singleElement()
                .asString()
                .contains("one of the two")
                .doesNotContain("hunter2");
        flags.put("redis", List.of("redis://redis.internal"));
        Files.writeString(file, "one\ntwo\n");
        assertThat(errors())
                .singleElement()
                .asString()
                .contains("a file of one line")
                .doesNotContain("two\n");
    }
}
