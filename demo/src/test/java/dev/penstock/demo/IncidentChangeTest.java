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

class IncidentChangeTest {
    private static final Set<Incident> ALL = EnumSet.allOf(Incident.class);
    private static final long TEN_MINUTES = 600;

    @ParameterizedTest
    @EnumSource
    void between_firstMinute_hasEveryIncidentInFull(Incident act) {
        assertThat(IncidentChange.between(Set.of(act), 0, 60))
                .startsWith(
                        new IncidentChange(act.begins(0), act, 0, true),
                        new IncidentChange(act.ends(0), act, 0, false));
    }

    @Test
    void between_noisyNeighbour_isEveryFortySecondsForTen() {
        assertThat(IncidentChange.between(Set.of(Incident.NOISY_NEIGHBOUR), 0, 62))
                .containsExactly(
                        new IncidentChange(12, Incident.NOISY_NEIGHBOUR, 0, true),
                        new IncidentChange(22, Incident.NOISY_NEIGHBOUR, 0, false),
                        new IncidentChange(52, Incident.NOISY_NEIGHBOUR, 1, true),
                        new IncidentChange(62, Incident.NOISY_NEIGHBOUR, 1, false));
    }

    /** Each change is reported once and in order, for any length of steps. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 7, 45, 101})
    void between_anySteps_areTheSameTurns(long step) {
        List<IncidentChange> turns = new ArrayList<>();
        for (long second = 0; second < TEN_MINUTES; second += step) {
            turns.addAll(IncidentChange.between(ALL, second, Math.min(TEN_MINUTES, second + step)));
        }

        assertThat(turns).containsExactlyInAnyOrderElementsOf(IncidentChange.between(ALL, 0, TEN_MINUTES));
        assertThat(turns).extracting(IncidentChange::second).isSorted();
    }

    @ParameterizedTest
    @EnumSource
    void isOn_isFromItsBeginToItsEnd(Incident act) {
        boolean on = false;
        for (long second = 1; second < TEN_MINUTES; second++) {
            for (IncidentChange turn : IncidentChange.between(Set.of(act), second - 1, second)) {
                assertThat(turn.begins()).as("at %s", second).isNotEqualTo(on);
                on = turn.begins();
            }
            assertThat(act.isOn(second)).as("at %s", second).isEqualTo(on);
        }
    }
}
