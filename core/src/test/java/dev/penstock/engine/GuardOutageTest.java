package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.charge;
import static dev.penstock.engine.GuardedStore.now;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.FailureMode;
import dev.penstock.Limit;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.internal.memory.MemoryStore;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Fleet;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Several nodes lose one store and find it again, while their clients request as much as they can get. */
class GuardOutageTest {
    private static final int NODES = 8;
    private static final Duration STEP = Duration.ofMillis(5);

    /** The duration of the gradual return. */
    private static final Duration STEPS = Duration.ofMillis(500);

    /** The time from the first node's return to the last one's if they do not wait for one another. */
    private static final Duration SPREAD = STEPS.plusMillis(500);

    private static final long RATE = 80;
    private static final Limit EIGHTY = Limit.tokenBucket(RATE, Duration.ofSeconds(1));

    private final ManualClock clock = new ManualClock();
    private final MemoryStore shared =
            new MemoryStore(ScriptedStore.NAME, clock, 1_000, WhenFull.EVICT_OLDEST, 60_000_000);
    private @Nullable Fleet fleet = ScriptedFleet.of(clock, NODES);
    private final List<ScriptedStore> ways = new ArrayList<>();
    private final List<Guard> guards = new ArrayList<>();

    private void connect(int expectedNodes) {
        for (int i = 0; i < NODES; i++) {
            ScriptedStore way = new ScriptedStore(shared);
            way.fleet = fleet;
            ways.add(way);
            guards.add(Guard.builder(way)
                    .clock(clock)
                    .scheduler(clock)
                    .nodes(expectedNodes)
                    .build());
        }
    }

    private void allWays(Mood mood) {
        ways.forEach(way -> way.mood = mood);
    }

    /** Sends a request from every client of every node at each step, and returns what they get in total. */
    private long greed(Limit limit, long cost, Duration step, Duration time) {
        long got = 0;
        Ask ask = Ask.of(charge(limit, "everyone", cost));
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(step)) {
            for (Guard guard : guards) {
                got += now(guard.decide(ask)).isAllowed() ? cost : 0;
            }
            clock.advance(step);
        }
        return got;
    }

    private long greed(Limit limit, Duration time) {
        return greed(limit, 1, STEP, time);
    }

    private long greedThroughOutage(Limit limit) {
        greed(limit, Duration.ofSeconds(2));
        allWays(Mood.NOT_CONNECTED);
        long got = greed(limit, Duration.ofSeconds(5));
        allWays(Mood.AT_ONCE);
        got += greed(limit, Duration.ofSeconds(13));
        assertThat(guards).noneMatch(Guard::isInFallback);
        return got;
    }

    @Test
    void outage_drainedBucket_isExceededByTheGradualReturn() {
        connect(NODES);
        long over = greedThroughOutage(EIGHTY) - RATE * 18;
        assertThat(over).isBetween(-RATE / 10, RATE * STEPS.toMillis() / 1_000);
    }

    @Test
    void outage_drainedBucketOfNodesThatDoNotWait_isExceededByRefillAndSpread() {
        fleet = null;
        connect(NODES);
        long over = greedThroughOutage(EIGHTY) - RATE * 18;
        assertThat(over).isBetween(0L, EIGHTY.capacity() + RATE * SPREAD.toMillis() / 1_000);
    }

    @Test
    void outage_halfOfTheNodesConfigured_isExceededByAsMuchAgain() {
        connect(NODES / 2);
        long over = greedThroughOutage(EIGHTY) - RATE * 18;
        long outage = RATE * 5 + EIGHTY.capacity();
        assertThat(over).isBetween(RATE * 4, outage + RATE * (SPREAD.toMillis() + 2_000) / 1_000);
    }

    @Test
    void outage_windowAndNothingInFlight_isExceededByARequestPerNodeAtMost() {
        connect(NODES);
        Limit daily = Limit.fixedWindow(8_000, Duration.ofDays(1));
        Duration slowly = Duration.ofMillis(50);
        long got = greed(daily, 10, STEP, Duration.ofMillis(150));
        allWays(Mood.NOT_CONNECTED);
        got += greed(daily, 10, STEP, Duration.ofSeconds(5));
        allWays(Mood.AT_ONCE);
        got += greed(daily, 1, slowly, Duration.ofMinutes(10));
        assertThat(got).isBetween(8_000L, 8_000L + NODES * 10);
    }

    @Test
    void outage_limitBelowTheNumberOfNodes_givesOneToEach() {
        connect(NODES);
        allWays(Mood.NOT_CONNECTED);
        assertThat(greed(Limit.fixedWindow(3, Duration.ofDays(1)), Duration.ofSeconds(5)))
                .isEqualTo(NODES);
    }

    @Test
    void outage_closed_allowsNothing() {
        connect(NODES);
        allWays(Mood.NOT_CONNECTED);
        Ask ask = Ask.of(charge(EIGHTY, "everyone", 1, FailureMode.CLOSED));
        for (int i = 0; i < 100; i++) {
            assertThat(guards).noneMatch(guard -> now(guard.decide(ask)).isAllowed());
            clock.advance(STEP);
        }
    }
}
