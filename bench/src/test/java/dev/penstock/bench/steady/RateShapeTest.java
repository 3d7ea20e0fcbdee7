package dev.penstock.bench.steady;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RateShapeTest {
    @Test
    void hill_climbsHoldsAndReturns() {
        RateShape hill = RateShape.hill(100, 1_100, 10, 5);

        assertThat(hill.seconds()).isEqualTo(30);
        assertThat(hill.perSecondAt(0)).isEqualTo(100);
        assertThat(hill.perSecondAt(5)).isEqualTo(600);
        assertThat(hill.perSecondAt(12)).isEqualTo(1_100);
        assertThat(hill.perSecondAt(20)).isEqualTo(600);
        assertThat(hill.perSecondAt(28)).isEqualTo(100);
    }

    @Test
    void perSecondAt_isNeverZero() {
        assertThat(RateShape.hill(0, 10, 1, 1).perSecondAt(0)).isPositive();
        assertThat(RateShape.constant(10, 1).perSecondAt(99)).isPositive();
    }
}
