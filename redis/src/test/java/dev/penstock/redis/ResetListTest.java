package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.spi.Resets;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ResetListTest {
    private static final String ONE = "0000000000000001";
    private static final String TWO = "0000000000000002";
    private static final String BOTH = "ffffffffffffffff,0000000000000003";

    private static Resets between(String before, String after) {
        return ResetList.of(after).since(ResetList.of(before));
    }

    @Test
    void since_anEarlierReading_isEverythingAddedMeanwhile() {
        String list = "r1 a 3 " + BOTH + " " + TWO + " " + ONE;
        assertThat(between("r1 a 2 " + TWO + " " + ONE, list)).isEqualTo(Resets.of(Set.of(-1L, 3L)));
        assertThat(between("r1 a 1 " + ONE, list)).isEqualTo(Resets.of(Set.of(-1L, 3L, 2L)));
        assertThat(between("", list)).isEqualTo(Resets.of(Set.of(-1L, 3L, 2L, 1L)));
    }

    @Test
    void since_aReadingTooLongAgo_isEverything() {
        String list = "r1 a 9 " + TWO + " " + ONE;
        assertThat(between("r1 a 7 " + TWO, list)).isEqualTo(Resets.of(Set.of(1L, 2L)));
        assertThat(between("r1 a 6 " + TWO, list)).isEqualTo(Resets.ALL);
        assertThat(between("", list)).isEqualTo(Resets.ALL);
    }

    @Test
    void since_anotherList_isEverything() {
        assertThat(between("r1 b 1 " + TWO, "r1 a 2 " + TWO + " " + ONE)).isEqualTo(Resets.ALL);
        assertThat(between("r1 a 3 " + TWO, "r1 a 2 " + TWO + " " + ONE)).isEqualTo(Resets.ALL);
    }

    @Test
    void since_aResetOfAll_isEverything() {
        assertThat(between("r1 a 1 " + ONE, "r1 a 3 " + ONE + " * " + ONE)).isEqualTo(Resets.ALL);
        assertThat(between("r1 a 2 * " + ONE, "r1 a 3 " + TWO + " * " + ONE)).isEqualTo(Resets.of(Set.of(2L)));
    }

    @Test
    void since_aTextOfAnEarlierVersion_isEverything() {
        String earlier = "0123456789abcdef";
        assertThat(between("", earlier)).isEqualTo(Resets.ALL);
        assertThat(between("r1 a 1 " + ONE, earlier)).isEqualTo(Resets.ALL);
        assertThat(between(earlier, "fedcba9876543210")).isEqualTo(Resets.ALL);
        assertThat(between(earlier, "r1 a 1 " + ONE)).isEqualTo(Resets.ALL);
        assertThat(between("r1 a 1 " + ONE, "r1 a 2 what is this")).isEqualTo(Resets.ALL);
    }

    @Test
    void announced_isReadBack() {
        Resets resets = Resets.of(Set.of(1L, -2L, Long.MIN_VALUE));
        assertThat(between("", "r1 a 1 " + ResetList.announced(resets))).isEqualTo(resets);
        assertThat(between("", "r1 a 1 " + ResetList.announced(Resets.ALL))).isEqualTo(Resets.ALL);
    }
}
