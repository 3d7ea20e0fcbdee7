package dev.penstock.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WorldTest {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final Question QUESTION = new Question(Map.of("user", "alice"));

    private final ManualClock clock = new ManualClock();
    private final List<IncidentChange> turns = new ArrayList<>();
    private final List<String> asked = new ArrayList<>();

    private World world(int speed, SimulatedClient... callers) {
        return new World(clock, speed, Set.of(Incident.SCANNER), List.of(callers));
    }

    private void pass(World world, Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(TICK)) {
            clock.advance(TICK);
            world.tick(turns::add, (name, question) -> asked.add(name));
        }
    }

    @Test
    void tick_sendsAtTheRateOfEachClient() {
        pass(
                world(
                        1,
                        new SimulatedClient("busy", CallRate.steady(33), () -> QUESTION),
                        new SimulatedClient("slow", CallRate.steady(0.5), () -> QUESTION)),
                Duration.ofSeconds(10));

        assertThat(asked.stream().filter("busy"::equals).count()).isCloseTo(330, within(1L));
        assertThat(asked.stream().filter("slow"::equals).count()).isCloseTo(5, within(1L));
    }

    @Test
    void tick_clientOfAnIncident_sendsOnlyDuringIt() {
        World world = world(1, new SimulatedClient("scanner", CallRate.during(Incident.SCANNER, 10), () -> QUESTION));

        pass(world, Duration.ofSeconds(4));
        assertThat(asked).isEmpty();
        pass(world, Duration.ofSeconds(10));
        assertThat(asked.size()).isCloseTo(50, within(1));
        assertThat(turns).extracting(IncidentChange::begins).containsExactly(true, false);
    }

    @Test
    void tick_tenTimesAsFast_incidentsComeSooner_atTheSameRequestRate() {
        World world = world(10, new SimulatedClient("steady", CallRate.steady(20), () -> QUESTION));

        pass(world, Duration.ofSeconds(1));

        assertThat(world.second()).isEqualTo(10);
        assertThat(turns).extracting(IncidentChange::second).containsExactly(5L, 10L);
        assertThat(asked.size()).isCloseTo(20, within(1));
    }

    @Test
    void tick_afterALongSleep_sendsNoMissedRequests() {
        World world = world(1, new SimulatedClient("steady", CallRate.steady(100), () -> QUESTION));

        clock.advance(Duration.ofHours(8));
        world.tick(turns::add, (name, question) -> asked.add(name));

        assertThat(asked).hasSizeLessThanOrEqualTo(50);
        assertThat(world.second()).isZero();
    }

    @Test
    void tick_clockSetBack_continues() {
        World world = world(1, new SimulatedClient("steady", CallRate.steady(100), () -> QUESTION));

        clock.setMicros(clock.micros() - 60_000_000);
        world.tick(turns::add, (name, question) -> asked.add(name));
        assertThat(asked).isEmpty();
        pass(world, Duration.ofSeconds(1));

        assertThat(asked.size()).isCloseTo(100, within(1));
    }

    @Test
    void daily_isMostAtNoon_andLeastAtMidnight() {
        CallRate rate = CallRate.daily(10, 0.5, 30);

        assertThat(rate.perSecond(30)).isCloseTo(15, within(0.001));
        assertThat(rate.perSecond(30 + CallRate.DAY_SECONDS / 2)).isCloseTo(5, within(0.001));
        assertThat(rate.perSecond(30 + CallRate.DAY_SECONDS)).isCloseTo(15, within(0.001));
    }
}
