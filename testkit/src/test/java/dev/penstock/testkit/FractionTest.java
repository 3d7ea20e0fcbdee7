package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class FractionTest {
    @Test
    void of_isInLowestTermsWithAPositiveDenominator() {
        assertThat(Fraction.of(6, -4)).isEqualTo(Fraction.of(-3, 2)).hasToString("-3/2");
        assertThat(Fraction.of(0, 7)).isEqualTo(Fraction.ZERO).hasToString("0");
        assertThat(Fraction.of(6, 4).denominator()).isEqualTo(BigInteger.TWO);
    }

    @Test
    void of_denominatorZero_isRefused() {
        assertThatThrownBy(() -> Fraction.of(1, 0)).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void arithmetic_isExact() {
        Fraction third = Fraction.of(1, 3);
        assertThat(third.plus(third).plus(third)).isEqualTo(Fraction.of(1));
        assertThat(third.minus(Fraction.of(1, 2))).isEqualTo(Fraction.of(-1, 6));
        assertThat(third.times(Fraction.of(3, 5))).isEqualTo(Fraction.of(1, 5));
        assertThat(third.times(-6)).isEqualTo(Fraction.of(-2));
        assertThat(third.dividedBy(Fraction.of(-2, 3))).isEqualTo(Fraction.of(-1, 2));
        assertThat(Fraction.of(Long.MAX_VALUE).times(Long.MAX_VALUE).dividedBy(Fraction.of(Long.MAX_VALUE)))
                .isEqualTo(Fraction.of(Long.MAX_VALUE));
    }

    @Test
    void floorAndCeil_roundDownAndUpOnBothSidesOfZero() {
        assertThat(Fraction.of(7, 2).floor()).isEqualTo(3);
        assertThat(Fraction.of(7, 2).ceil()).isEqualTo(4);
        assertThat(Fraction.of(-7, 2).floor()).isEqualTo(-4);
        assertThat(Fraction.of(-7, 2).ceil()).isEqualTo(-3);
        assertThat(Fraction.of(4).floor()).isEqualTo(4);
        assertThat(Fraction.of(-4).ceil()).isEqualTo(-4);
    }

    @Test
    void order_isThatOfTheNumbers() {
        Fraction less = Fraction.of(1_000_000_007, 1_000_000_009);
        Fraction more = Fraction.of(1_000_000_008, 1_000_000_009);
        assertThat(less).isLessThan(more);
        assertThat(less.max(more)).isEqualTo(more);
        assertThat(less.min(more)).isEqualTo(less);
        assertThat(less.negate().signum()).isEqualTo(-1);
        assertThat(less.hashCode())
                .isEqualTo(Fraction.of(2_000_000_014L, 2_000_000_018L).hashCode());
    }
}
