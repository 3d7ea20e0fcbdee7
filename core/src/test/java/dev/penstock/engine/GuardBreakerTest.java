package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.DEADLINE;
import static dev.penstock.engine.GuardedStore.LONG_ENOUGH;
import static dev.penstock.engine.GuardedStore.ask;
import static dev.penstock.engine.GuardedStore.isByFallback;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Request;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.spi.Ask;
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

    private int askedOf(int decisions) {
        int asked = 0;
        for (int i = 0; i < decisions; i++) {
            asked += isStoreAsked() ? 1 : 0;
        }
        return asked;
    }

    private void find() {
        guarded.store.mood = Mood.AT_ONCE;
        while (guarded.guard.health().breaker() == Guard.Breaker.OPEN) {
            guarded.clock.advance(Duration.ofMillis(1));
        }
    }

    @Test
    void breaker_lastingFailures_opensAndTheStoreIsNotAsked() {
        guarded.store.mood = Mood.FAILING;
        for (int i = 0; i < 5; i++) {
            assertThat(isStoreAsked()).as("%s", i).isTrue();
            guarded.clock.advance(Duration.ofMillis(100));
        }
        guarded.clock.advance(LONG_ENOUGH);
        assertThat(isStoreAsked()).isFalse();
        assertThat(isByFallback(guarded.decide(ask("ann")))).isTrue();
    }

    @Test
    void breaker_manyFailuresAtOnce_areNotEnough() {
        guarded.store.mood = Mood.FAILING;
        for (int i = 0; i < 1_000; i++) {
            assertThat(isStoreAsked()).isTrue();
        }
        guarded.store.mood = Mood.AT_ONCE;
        guarded.clock.advance(Duration.ofSeconds(10));
        assertThat(guarded.events).isEmpty();
        assertThat(isStoreAsked()).isTrue();
    }

    @Test
    void breaker_oneFailureWithoutTraffic_probesFindTheStoreDead() {
        guarded.store.mood = Mood.FAILING;
        guarded.guard.decide(ask("ann"));
        guarded.clock.advance(LONG_ENOUGH);
        assertThat(guarded.guard.isInFallback()).isTrue();
    }

    @Test
    void breaker_missingReplies_countAsFailures() {
        guarded.store.mood = Mood.WHEN_TOLD;
        guarded.guard.decide(ask("ann"));
        guarded.clock.advance(LONG_ENOUGH.plus(DEADLINE));
        assertThat(isStoreAsked()).isFalse();
    }

    @Test
    void breaker_callersTimeouts_areNoEvidence() {
        guarded.store.mood = Mood.WHEN_TOLD;
        for (int i = 0; i < 1_000; i++) {
            guarded.guard.decide(ask("ann").forRequest(Request.of("user", "ann").timeout(Duration.ofMillis(1))));
            guarded.clock.advance(Duration.ofMillis(2));
            guarded.store.answerNext();
        }
        assertThat(guarded.guard.health().lateAnswers()).isZero();
        assertThat(guarded.events).isEmpty();
    }

    @Test
    void breaker_callersTimeoutsDuringTheReturn_doNotDelayIt() {
        guarded.loseStore();
        find();
        guarded.store.mood = Mood.WHEN_TOLD;
        for (int i = 0; i < 2_000 && guarded.guard.isInFallback(); i++) {
            guarded.guard.decide(ask("ann").forRequest(Request.of("user", "ann").timeout(Duration.ofMillis(1))));
            guarded.clock.advance(Duration.ofMillis(2));
            while (guarded.store.waitingCalls() > 0) {
                guarded.store.answerNext();
            }
        }
        assertThat(guarded.guard.isInFallback()).isFalse();
    }

    @Test
    void breaker_asksThatWereNotSent_areNoEvidence() {
        guarded.store.mood = Mood.NOT_SENT;
        for (int i = 0; i < 100; i++) {
            guarded.guard.decide(ask("ann"));
            guarded.clock.advance(Duration.ofMillis(100));
        }
        assertThat(guarded.events).isEmpty();
    }

    @Test
    void breaker_occasionalFailures_staysClosed() {
        for (int i = 0; i < 1_000; i++) {
            guarded.store.mood = i % 3 == 0 ? Mood.FAILING : Mood.AT_ONCE;
            assertThat(isStoreAsked()).as("%s", i).isTrue();
            guarded.clock.advance(Duration.ofMillis(5));
        }
        assertThat(guarded.events).isEmpty();
    }

    @Test
    void breaker_twoOfThreeFail_opens() {
        for (int i = 0; i < 300 && !guarded.guard.isInFallback(); i++) {
            guarded.store.mood = i % 3 == 0 ? Mood.AT_ONCE : Mood.FAILING;
            guarded.guard.decide(ask("ann"));
            guarded.clock.advance(Duration.ofMillis(5));
        }
        assertThat(guarded.guard.isInFallback()).isTrue();
    }

    @Test
    void breaker_open_onlyTheProbeAsksTheStoreAndChargesNothing() {
        guarded.loseStore();
        guarded.clock.advance(Duration.ofSeconds(1));
        assertThat(guarded.store.asks).hasSizeBetween(2, 10).allMatch(ask -> ask.purpose() == Ask.Purpose.PEEK);
    }

    @Test
    void breaker_storeAnswersAgain_nodeWithoutTrafficNotices() {
        guarded.loseStore();
        guarded.store.mood = Mood.AT_ONCE;
        guarded.clock.advance(Duration.ofSeconds(3));
        assertThat(guarded.guard.isInFallback()).isFalse();
        guarded.clock.advance(Duration.ofSeconds(3));
        assertThat(guarded.clock.waitingTasks())
                .as("nothing is scheduled any longer")
                .isZero();
    }

    @Test
    void breaker_storeAnswersAgain_returnsStepByStep() {
        guarded.loseStore();
        find();
        for (int share : new int[] {4, 2}) {
            assertThat(askedOf(80)).isEqualTo(80 / share);
            assertThat(guarded.guard.isInFallback()).isTrue();
            guarded.clock.advance(Duration.ofMillis(250));
        }
        assertThat(askedOf(80)).isEqualTo(80);
        guarded.clock.advance(Duration.ofMillis(100));
        assertThat(guarded.guard.isInFallback()).isFalse();
    }

    @Test
    void breaker_oneFailureDuringTheReturn_returnsAnyway() {
        guarded.loseStore();
        find();
        guarded.store.mood = Mood.FAILING;
        assertThat(isStoreAsked()).isTrue();
        guarded.store.mood = Mood.AT_ONCE;
        guarded.clock.advance(Duration.ofSeconds(1));
        assertThat(guarded.guard.isInFallback()).isFalse();
    }

    @Test
    void breaker_storeDiesDuringTheReturn_opensAgain() {
        guarded.loseStore();
        find();
        guarded.store.mood = Mood.FAILING;
        for (int i = 0; i < 100; i++) {
            guarded.guard.decide(ask("ann"));
            guarded.clock.advance(Duration.ofMillis(20));
        }
        assertThat(askedOf(80)).isZero();
    }

    @Test
    void breaker_lateRepliesWhileOpen_changeNothing() {
        guarded.store.mood = Mood.WHEN_TOLD;
        for (int i = 0; i < 20; i++) {
            guarded.guard.decide(ask("ann"));
        }
        guarded.clock.advance(LONG_ENOUGH.plus(DEADLINE));
        while (guarded.store.waitingCalls() > 0) {
            guarded.store.answerNext();
        }
        assertThat(isStoreAsked()).isFalse();
        assertThat(guarded.events).hasSize(1);
    }

    @Test
    void events_reportEnteringAndLeaving() {
        guarded.loseStore();
        assertThat(guarded.events).singleElement().isInstanceOfSatisfying(StoreOutageEvent.Entered.class, entered -> {
            assertThat(entered.store()).isEqualTo("scripted");
            assertThat(entered.why()).isEqualTo("cut");
        });
        Instant lost = guarded.events.get(0).at();
        guarded.events.clear();
        guarded.decide(ask("ann"));
        guarded.regainStore();
        assertThat(guarded.events).hasSize(1);
        StoreOutageEvent.Left left = (StoreOutageEvent.Left) guarded.events.get(0);
        assertThat(left.spent()).isEqualTo(Duration.between(lost, left.at()));
        assertThat(left.decisions()).isPositive();
    }

    @Test
    void health_reportsTheBreakerAndTheTimeInFallback() {
        assertThat(guarded.guard.health()).isEqualTo(new Guard.Health(Guard.Breaker.CLOSED, 0, Duration.ZERO, 0));
        guarded.loseStore();
        Instant lost = guarded.events.get(0).at();
        assertThat(guarded.guard.health().breaker()).isEqualTo(Guard.Breaker.OPEN);
        assertThat(guarded.guard.health().inFallback()).isEqualTo(Duration.between(lost, guarded.clock.now()));
        guarded.regainStore();
        Duration spent = Duration.between(lost, guarded.events.get(1).at());
        guarded.clock.advance(Duration.ofHours(1));
        assertThat(guarded.guard.health()).isEqualTo(new Guard.Health(Guard.Breaker.CLOSED, 1, spent, 0));
        guarded.loseStore();
        assertThat(guarded.guard.health().fallbacks()).isEqualTo(2);
    }

    @Test
    void health_countsLateAnswers() {
        guarded.store.mood = Mood.WHEN_TOLD;
        guarded.guard.decide(ask("ann"));
        guarded.guard.decide(ask("ann"));
        assertThat(guarded.guard.health().lateAnswers()).isZero();
        guarded.clock.advance(DEADLINE);
        assertThat(guarded.guard.health().lateAnswers()).isEqualTo(2);
    }

    @Test
    void events_listenerFails_isIgnored() {
        GuardedStore failing = new GuardedStore(builder -> builder.listener(event -> {
            throw new IllegalStateException("the listener's own");
        }));
        failing.loseStore();
        failing.regainStore();
        assertThat(failing.events).hasSize(2);
    }
}
