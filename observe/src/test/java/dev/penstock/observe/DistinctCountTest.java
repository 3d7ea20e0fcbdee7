package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.Key;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DistinctCountTest {
    /** Five standard errors. A random result is outside of that once in about two million times. */
    private static final Percentage FIVE_ERRORS = Percentage.withPercentage(16.5);

    private static DistinctCount of(int from, int to) {
        DistinctCount count = new DistinctCount();
        for (int i = from; i < to; i++) {
            count.add(Key.of("users", "user-" + i).hashCode());
        }
        return count;
    }

    @Test
    void nothing_isZero() {
        assertThat(new DistinctCount().estimate()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 1_000, 2_600, 10_000, 100_000, 1_000_000})
    void estimate_isNear(int keys) {
        assertThat(of(0, keys).estimate()).isCloseTo(keys, FIVE_ERRORS);
    }

    @Test
    void repeated_isCountedOnce() {
        DistinctCount once = of(0, 500);
        DistinctCount often = of(0, 500);
        often.add(of(0, 500));

        assertThat(often.estimate()).isEqualTo(once.estimate());
    }

    @Test
    void otherSketches_areMerged() {
        DistinctCount all = of(0, 5_000);
        all.add(of(4_000, 9_000));

        assertThat(all.estimate()).isEqualTo(of(0, 9_000).estimate());
    }
}
