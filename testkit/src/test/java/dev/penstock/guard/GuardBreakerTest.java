package dev.penstock.guard;

import static dev.penstock.guard.GuardedStore.ANY_PAUSE;
import static dev.penstock.guard.GuardedStore.DEADLINE;
import static dev.penstock.guard.GuardedStore.TOO_MANY;
import static dev.penstock.guard.GuardedStore.ask;
import static dev.penstock.guard.GuardedStore.isByFallback;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Guard;
import dev.penstock.GuardEvent;
import dev.penstock.Request;
import dev.penstock.guard.ScriptedStore.Mood;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class GuardBreakerTest {
    private final GuardedStore guarded = new GuardedStore();

    private boolean isStoreAsked() {
        int before = guarded.store.asks.size();
        guarded.guard.decide(ask("ann"));
        return guarded.store.asks.size() > before;
    }

    @Test
    void breaker_failuresInARow_opensAndTheStoreIsLeftAlone() {
        guarded.store.mood = Mood.FAILING;
        for (int i = 0; i < TOO_MANY; i++) {
            assertThat(isStoreAsked()).as("%s", i).isTrue();
        }
        guarded.store.mood = Mood.AT_ONCE;
        for (int i = 0; i < 20; i++) {
            assertThat(isStoreAsked()).as("%s", i).isFalse();
            assertThat(isByFallback(guarded.decide(ask("ann")))).isTrue();
        }
    }

    @Test
    void breaker_silences_countAsFailures() {
        guarded.store.mood = Mood.WHEN_TOLD;
        for (int i = 0; i < TOO_MANY; i++) {
            assertThat(isStoreAsked()).isTrue();
        }
        guarded.clock.advance(DEADLINE);
        assertThat(isStoreAsked()).isFalse();
    }

    @Test
    void breaker_failuresNowAndThen_staysClosed() {
        for (int i = 0; i < 100; i++) {
            guarded.store.mood = i % 3 == 0 ? Mood.FAILING : Mood.AT_ONCE;
            assertThat(isStoreAsked()).as("%s", i).isTrue();
        }
        assertThat(guarded.events).isEmpty();
    }

    @Test
    void breaker_everyOtherFails_opens() {
        for (int i = 0; i < 10; i++) {
            guarded.store.mood = i % 2 == 0 ? Mood.FAILING : Mood.AT_ONCE;
            guarded.guard.decide(ask("ann"));
        }
        assertThat(guarded.guard.isInFallback()).isTrue();
    }

    @Test
    void breaker_afterAPause_probesOneAtATime() {
        guarded.loseStore();
        guarded.clock.advance(Duration.ofMillis(49));
        assertThat(isStoreAsked()).isFalse();
        guarded.clock.advance(Duration.ofMillis(101));
        guarded.store.mood = Mood.WHEN_TOLD;
        assertThat(isStoreAsked()).isTrue();
        assertThat(isStoreAsked()).isFalse();
        guarded.clock.advance(DEADLINE);
        assertThat(isStoreAsked()).isFalse();
    }

    @Test
    void breaker_probesFail_pausesGrowUpToABound() {
        guarded.loseStore();
        Instant start = guarded.clock.now();
        int probes = 0;
        while (guarded.clock.now().isBefore(start.plusSeconds(60))) {
            guarded.clock.advance(Duration.ofMillis(10));
            probes += isStoreAsked() ? 1 : 0;
        }
        assertThat(probes).isBetween(40, 130);
    }

    @Test
    void breaker_probeIsOutForVeryLong_doesNotKeepOthersBack() {
        guarded.loseStore();
        guarded.clock.advance(ANY_PAUSE);
        guarded.store.mood = Mood.WHEN_TOLD;
        guarded.guard.decide(ask("ann").forRequest(Request.of("user", "ann").timeout(Duration.ofDays(1))));
        assertThat(isStoreAsked()).isFalse();
        guarded.clock.advance(ANY_PAUSE);
        assertThat(isStoreAsked()).isTrue();
    }

    @Test
    void breaker_clockSetBack_doesNotProlongThePause() {
        guarded.loseStore();
        guarded.clock.advance(Duration.ofHours(-1));
        assertThat(isStoreAsked()).isTrue();
    }

    @Test
    void breaker_probeSucceeds_comesBackStepByStep() {
        guarded.loseStore();
        guarded.store.mood = Mood.AT_ONCE;
        guarded.clock.advance(ANY_PAUSE);
        assertThat(isStoreAsked()).isTrue();
        for (int share : new int[] {4, 2}) {
            assertThat(askedOf(80)).isEqualTo(80 / share);
            assertThat(guarded.guard.isInFallback()).isTrue();
            guarded.clock.advance(Duration.ofMillis(250));
        }
        assertThat(askedOf(80)).isEqualTo(80);
        assertThat(guarded.guard.isInFallback()).isFalse();
    }

    private int askedOf(int decisions) {
        int asked = 0;
        for (int i = 0; i < decisions; i++) {
            asked += isStoreAsked() ? 1 : 0;
        }
        return asked;
    }

    @Test
    void breaker_fewDecisions_comesBackAsWell() {
        guarded.loseStore();
        guarded.store.mood = Mood.AT_ONCE;
        for (int i = 0; i < 6; i++) {
            guarded.clock.advance(Duration.ofSeconds(2));
            guarded.guard.decide(ask("ann"));
        }
        assertThat(guarded.guard.isInFallback()).isFalse();
    }

    @Test
    void breaker_failsOnTheWayBack_opensAgain() {
        guarded.loseStore();
        guarded.store.mood = Mood.AT_ONCE;
        guarded.clock.advance(ANY_PAUSE);
        assertThat(isStoreAsked()).isTrue();
        guarded.store.mood = Mood.FAILING;
        assertThat(isStoreAsked()).isTrue();
        guarded.store.mood = Mood.AT_ONCE;
        assertThat(askedOf(80)).isZero();
        assertThat(guarded.events).hasSize(1);
    }

    @Test
    void breaker_lateRepliesWhileOpen_changeNothing() {
        guarded.store.mood = Mood.WHEN_TOLD;
        for (int i = 0; i < 20; i++) {
            guarded.guard.decide(ask("ann"));
        }
        guarded.clock.advance(DEADLINE);
        while (guarded.store.waitingCalls() > 0) {
            guarded.store.answerNext();
        }
        assertThat(isStoreAsked()).isFalse();
        assertThat(guarded.events).hasSize(1);
    }

    @Test
    void events_tellOfEnteringAndLeaving() {
        Instant lost = guarded.clock.now();
        guarded.loseStore();
        assertThat(guarded.events).containsExactly(new GuardEvent.Entered("scripted", lost, "cut"));
        guarded.events.clear();
        guarded.decide(ask("ann"));
        guarded.regainStore();
        assertThat(guarded.events).hasSize(1);
        GuardEvent.Left left = (GuardEvent.Left) guarded.events.get(0);
        assertThat(left.at()).isEqualTo(guarded.clock.now());
        assertThat(left.spent()).isEqualTo(Duration.between(lost, left.at()));
        assertThat(left.decisions()).isPositive();
    }

    @Test
    void health_tellsOfTheBreakerAndOfTheTimeWithoutTheStore() {
        assertThat(guarded.guard.health()).isEqualTo(new Guard.Health(Guard.Breaker.CLOSED, 0, Duration.ZERO, 0));
        Instant lost = guarded.clock.now();
        guarded.loseStore();
        guarded.clock.advance(Duration.ofMillis(3));
        assertThat(guarded.guard.health()).isEqualTo(new Guard.Health(Guard.Breaker.OPEN, 1, Duration.ofMillis(3), 0));
        guarded.regainStore();
        Duration spent = Duration.between(lost, guarded.clock.now());
        guarded.clock.advance(Duration.ofHours(1));
        assertThat(guarded.guard.health()).isEqualTo(new Guard.Health(Guard.Breaker.CLOSED, 1, spent, 0));
        guarded.loseStore();
        guarded.clock.advance(Duration.ofSeconds(1));
        assertThat(guarded.guard.health().fallbacks()).isEqualTo(2);
        assertThat(guarded.guard.health().inFallback()).isEqualTo(spent.plusSeconds(1));
    }

    @Test
    void health_countsAnswersThatDidNotComeInTime() {
        guarded.store.mood = Mood.WHEN_TOLD;
        guarded.guard.decide(ask("ann"));
        guarded.guard.decide(ask("ann"));
        assertThat(guarded.guard.health().lateAnswers()).isZero();
        guarded.clock.advance(DEADLINE);
        assertThat(guarded.guard.health().lateAnswers()).isEqualTo(2);
    }

    @Test
    void events_listenerFails_isNoError() {
        GuardedStore failing = new GuardedStore(builder -> builder.listener(event -> {
            throw new IllegalStateException("the listener's own");
        }));
        failing.loseStore();
        failing.regainStore();
        assertThat(failing.events).hasSize(2);
    }
}
