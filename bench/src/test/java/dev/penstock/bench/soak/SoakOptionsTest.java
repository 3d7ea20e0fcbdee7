package dev.penstock.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bench.harness.BenchUsageError;
import dev.penstock.bench.harness.SourceTree;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SoakOptionsTest {
    @Test
    void parse_minutesAndRate() throws BenchUsageError {
        assertThat(SoakOptions.parse(List.of("--minutes", "30", "--rate", "50")))
                .isEqualTo(new SoakOptions(Duration.ofMinutes(30), 50, false, false, false));
    }

    @Test
    void parse_hostile_hasDefaults() throws BenchUsageError {
        assertThat(SoakOptions.parse(List.of("--hostile")))
                .isEqualTo(new SoakOptions(Duration.ofMinutes(5), 300, true, false, false));
        assertThat(SoakOptions.parse(List.of("--hostile", "--minutes", "2", "--rate", "40")))
                .isEqualTo(new SoakOptions(Duration.ofMinutes(2), 40, true, false, false));
    }

    @Test
    void file_replacesACommittedResult_onlyIfRecorded() throws Exception {
        SourceTree tree = SourceTree.find();
        assertThat(SoakOptions.parse(List.of("--hostile")).file(tree, "soak.json"))
                .endsWithRaw(Path.of("bench", "target", "soak.json"));
        assertThat(SoakOptions.parse(List.of("--hostile", "--record")).file(tree, "soak.json"))
                .isEqualTo(tree.result("soak.json"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rate 5            | --minutes: nothing (expected: 1 to 10080)",
                "--minutes           | --minutes: no value (expected: 1 to 10080)",
                "--minutes 0         | --minutes: 0 (expected: 1 to 10080)",
                "--minutes -1        | --minutes: -1 (expected: 1 to 10080)",
                "--minutes 1 --rate x| --rate: x (expected: 1 to 100000)",
                "--hours 1           | --hours: no such option (expected: --hostile, --minutes N, --rate N, --record, --help)",
            })
    void parse_badArgument_isNamed(String arguments, String message) {
        assertThatThrownBy(() -> SoakOptions.parse(List.of(arguments.split(" ", -1))))
                .isInstanceOf(BenchUsageError.class)
                .hasMessage(message);
    }
}
