package dev.penstock.bench.steady;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.bench.harness.BenchUsageError;
import java.util.List;
import org.junit.jupiter.api.Test;

class SteadyOptionsTest {
    @Test
    void parse_nothing_isAWholeRun() throws BenchUsageError {
        SteadyOptions options = SteadyOptions.parse(List.of());

        assertThat(options.isWhole()).isTrue();
        assertThat(options.cases()).hasSameSizeAs(SteadyCases.all());
    }

    @Test
    void parse_quickOrOnly_isNotAWholeRun() throws BenchUsageError {
        assertThat(SteadyOptions.parse(List.of("--quick")).isWhole()).isFalse();
        SteadyOptions one = SteadyOptions.parse(List.of("--only", "ramp"));
        assertThat(one.isWhole()).isFalse();
        assertThat(one.cases()).extracting(SteadyCase::name).containsExactly("ramp");
    }

    @Test
    void parse_unknownCase_namesTheExistingOnes() {
        assertThatThrownBy(() -> SteadyOptions.parse(List.of("--only", "what")))
                .isInstanceOf(BenchUsageError.class)
                .hasMessageStartingWith("--only: what (expected: open_300, open_2000");
    }
}
