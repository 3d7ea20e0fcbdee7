package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TurnTest {
    private static final Set<Act> ALL = EnumSet.allOf(Act.class);
    private static final long TEN_MINUTES = 600;

    @ParameterizedTest
    @EnumSource
    void between_firstMinute_hasTheWholeOfEveryAct(Act act) {
        assertThat(Turn.between(Set.of(act), 0, 60))
                .startsWith(new Turn(act.begins(0), act, 0, true), new Turn(act.ends(0), act, 0, false));
    }

    @Test
    void between_noisyNeighbour_isEveryFortySecondsForTen() {
        assertThat(Turn.between(Set.of(Act.NOISY_NEIGHBOUR), 0, 62))
                .containsExactly(
                        new Turn(12, Act.NOISY_NEIGHBOUR, 0, true),
                        new Turn(22, Act.NOISY_NEIGHBOUR, 0, false),
                        new Turn(52, Act.NOISY_NEIGHBOUR, 1, true),
                        new Turn(62, Act.NOISY_NEIGHBOUR, 1, false));
    }

    /** However time is cut, each turn comes once and in order. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 7, 45, 101})
    void between_anySteps_areTheSameTurns(long step) {
        List<Turn> turns = new ArrayList<>();
        for (long second = 0; second < TEN_MINUTES; second += step) {
            turns.addAll(Turn.between(ALL, second, Math.min(TEN_MINUTES, second + step)));
        }

        assertThat(turns).containsExactlyInAnyOrderElementsOf(Turn.between(ALL, 0, TEN_MINUTES));
        assertThat(turns).extracting(Turn::second).isSorted();
    }

    @ParameterizedTest
    @EnumSource
    void isOn_isFromItsBeginToItsEnd(Act act) {
        boolean on = false;
        for (long second = 1; second < TEN_MINUTES; second++) {
            for (Turn turn : Turn.between(Set.of(act), second - 1, second)) {
                assertThat(turn.begins()).as("at %s", second).isNotEqualTo(on);
                on = turn.begins();
            }
            assertThat(act.isOn(second)).as("at %s", second).isEqualTo(on);
        }
    }
}
