package dev.penstock.bench.soak.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AttackScheduleTest {
    @Test
    void attacks_beginOneAfterTheOther_andAllAreActiveForMostOfTheTime() {
        AttackSchedule schedule = new AttackSchedule(300, 19);

        assertThat(schedule.activeAt(30)).isZero();
        assertThat(schedule.activeAt(31)).isEqualTo(1);
        assertThat(schedule.activeAt(75)).isBetween(2, 18);
        assertThat(schedule.activeAt(120)).isEqualTo(19);
        assertThat(schedule.activeAt(300)).isEqualTo(19);
    }
}
