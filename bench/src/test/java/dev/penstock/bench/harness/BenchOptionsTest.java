package dev.penstock.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class BenchOptionsTest {
    private static final List<String> CASES = List.of("hot", "memory");

    @Test
    void parse_nothing_isACarefulRunOfAll() throws BenchUsageError {
        BenchOptions options = BenchOptions.parse(List.of(), CASES, Settings.CAREFUL);

        assertThat(options.settings()).isEqualTo(Settings.CAREFUL);
        assertThat(options.includes("hot")).isTrue();
        assertThat(options.includes("memory")).isTrue();
    }

    @Test
    void parse_quickAndOnly_includesOneCase() throws BenchUsageError {
        BenchOptions options = BenchOptions.parse(List.of("--quick", "--only", "memory"), CASES, Settings.CAREFUL);

        assertThat(options.settings()).isEqualTo(Settings.QUICK);
        assertThat(options.includes("hot")).isFalse();
        assertThat(options.includes("memory")).isTrue();
    }

    @Test
    void parse_badOptions_sayWhatWasExpected() {
        assertRefused(List.of("--fast"), "--fast: no such option (expected: --quick, --only NAME, --help)");
        assertRefused(List.of("--only"), "--only: no value (expected: hot, memory)");
        assertRefused(List.of("--only", "cold"), "--only: cold (expected: hot, memory)");
    }

    private static void assertRefused(List<String> arguments, String message) {
        assertThatThrownBy(() -> BenchOptions.parse(arguments, CASES, Settings.CAREFUL))
                .isInstanceOf(BenchUsageError.class)
                .hasMessage(message);
    }
}
