package dev.penstock.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LeaseSizerTest {
    private static final long SECOND = 1_000_000;

    private final LeaseSizer sizer = new LeaseSizer(10 * SECOND);

    @Test
    void isHot_eightPermitsOrMore() {
        assertThat(LeaseSizer.isHot(7)).isFalse();
        assertThat(LeaseSizer.isHot(8)).isTrue();
    }

    @Test
    void size_plentyInTheStore_isHalfTheDemand() {
        assertThat(sizer.size(100, 1_000, 0)).isEqualTo(new LeaseSizer.Size(50, false));
    }

    @Test
    void size_littleInTheStore_isHalfOfTheRemainderAndCutShort() {
        sizer.sawRemaining(40, 0);

        assertThat(sizer.size(100, 1_000, 0)).isEqualTo(new LeaseSizer.Size(20, true));
    }

    @Test
    void size_partOfTheCapacityCameBack_countsIt() {
        sizer.sawRemaining(0, 0);

        assertThat(sizer.size(1_000, 1_000, 5 * SECOND)).isEqualTo(new LeaseSizer.Size(166, true));
        assertThat(sizer.size(1_000, 1_000, 10 * SECOND)).isEqualTo(new LeaseSizer.Size(500, false));
    }

    @Test
    void size_lessThanTwo_isNoLease() {
        sizer.sawRemaining(3, 0);

        assertThat(sizer.size(100, 1_000, 0).permits()).isZero();
    }
}
