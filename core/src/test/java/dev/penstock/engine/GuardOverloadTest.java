package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.DEADLINE;
import static dev.penstock.engine.GuardedStore.ask;
import static dev.penstock.engine.GuardedStore.isByFallback;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Request;
import dev.penstock.Retry;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.spi.Scheduler;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A node that is itself slow does not blame the store, and reports when it has more requests than it can handle. */
class GuardOverloadTest {
    private static final Duration MAX_WAIT = Duration.ofSeconds(1);

    private final GuardedStore guarded = GuardedStore.reporting(builder -> builder.maxWaiting(100));

    private CompletableFuture<Decision> later() {
        guarded.store.mood = Mood.WHEN_TOLD;
        return guarded.guard.decide(ask("ann")).whenReady().toCompletableFuture();
    }

    private static boolean isOverloaded(Decision decision) {
        return decision instanceof Denied denied && denied.reason() == Denied.Reason.OVERLOADED;
    }

    @Test
    void decide_nodeIsSlow_waitsForTheStoresAnswerPastTheDeadline() {
        CompletableFuture<Decision> answer = later();
        guarded.clock.advance(MAX_WAIT.minusMillis(1));
        assertThat(answer).isNotDone();
        guarded.store.answerNext();
        assertThat(answer.join().decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(guarded.guard.health().lateAnswers()).isZero();
    }

    @Test
    void decide_nodeIsTooSlow_isDeniedAsOverloadedAndTheStoreIsNotBlamed() {
        CompletableFuture<Decision> answer = later();
        guarded.clock.advance(MAX_WAIT.plus(DEADLINE));
        assertThat(answer).isCompletedWithValueMatching(GuardOverloadTest::isOverloaded);
        Denied denied = (Denied) answer.join();
        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.NODE);
        assertThat(denied.retry()).isInstanceOf(Retry.Estimate.class);
        assertThat(denied.retry().waitFor()).isEqualTo(Duration.ofSeconds(1));
        guarded.clock.advance(Duration.ofSeconds(10));
        assertThat(guarded.events).isEmpty();
    }

    @Test
    void decide_tripIsLate_failureModesDecideSoonAfterTheDeadline() {
        CompletableFuture<Decision> answer = later();
        guarded.clock.advance(DEADLINE);
        guarded.store.reportLate();
        guarded.clock.advance(DEADLINE.dividedBy(4));
        assertThat(answer).isCompletedWithValueMatching(GuardedStore::isByFallback);
    }

    @Test
    void decide_clockSetBackAnHour_isDeniedAsOverloadedAtTheSameTime() {
        CompletableFuture<Decision> answer = later();
        guarded.clock.advance(DEADLINE);
        guarded.clock.advance(Duration.ofHours(-1));
        guarded.clock.advance(MAX_WAIT);
        assertThat(answer).isCompletedWithValueMatching(GuardOverloadTest::isOverloaded);
        assertThat(guarded.guard.waiting()).isZero();
    }

    @Test
    void decide_clockSetBackAnHourAndTheTripIsLate_storeIsStillBlamed() {
        CompletableFuture<Decision> answer = later();
        guarded.clock.advance(Duration.ofHours(-1));
        guarded.clock.advance(DEADLINE);
        guarded.store.reportLate();
        guarded.clock.advance(DEADLINE.dividedBy(4));
        assertThat(answer).isCompletedWithValueMatching(GuardedStore::isByFallback);
    }

    @Test
    void decide_clockSetAheadAnHour_waitsForTheStoreAsLong() {
        ManualClock wall = new ManualClock();
        ScriptedStore store = new ScriptedStore(guarded.clock);
        Guard guard = Guard.builder(store)
                .deadline(DEADLINE)
                .clock(wall)
                .scheduler(guarded.clock)
                .build();
        store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Decision> answer =
                guard.decide(ask("ann")).whenReady().toCompletableFuture();
        wall.advance(Duration.ofHours(1));
        guarded.clock.advance(DEADLINE.minusMillis(1));
        assertThat(answer).isNotDone();
        store.answerNext();
        assertThat(answer.join().decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void decide_callersTimeout_failureModesDecide() {
        guarded.store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Decision> answer = guarded.guard
                .decide(ask("ann").forRequest(Request.of("user", "ann").timeout(Duration.ofMillis(20))))
                .whenReady()
                .toCompletableFuture();
        guarded.clock.advance(Duration.ofMillis(20));
        assertThat(answer).isCompletedWithValueMatching(GuardedStore::isByFallback);
    }

    @Test
    void decide_tooManyWaiting_isDeniedAtOnceAndServedLater() {
        List<CompletableFuture<Decision>> waiting = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            waiting.add(later());
        }
        assertThat(guarded.guard.waiting()).isEqualTo(100);
        assertThat(isOverloaded(guarded.decide(ask("ann")))).isTrue();
        guarded.store.answerNext();
        assertThat(waiting.get(0)).isCompleted();
        assertThat(later()).isNotDone();
        assertThat(isOverloaded(guarded.decide(ask("ann")))).isTrue();
    }

    @Test
    void decide_tooManyWaitingBecauseTheStoreIsLate_failureModesDecide() {
        guarded.store.mood = Mood.WHEN_TOLD;
        for (int i = 0; i < 100; i++) {
            guarded.guard.decide(ask("ann"));
        }
        guarded.store.reportLate();
        assertThat(isByFallback(guarded.decide(ask("ann")))).isTrue();
    }

    @Test
    void decide_notSentBeforeItsTimeout_isDeniedAsOverloaded() {
        guarded.store.mood = Mood.NOT_SENT;
        assertThat(isOverloaded(guarded.decide(ask("ann")))).isTrue();
        assertThat(guarded.guard.waiting()).isZero();
    }

    @Test
    void decide_processWasSuspended_readsTheReplyThatHasArrived() {
        ManualClock clock = guarded.clock;
        GuardedStore stopped = new GuardedStore(builder -> builder.scheduler(new Scheduler() {
            @Override
            public void after(Duration delay, Runnable task) {
                clock.after(delay.plusMillis(500), task);
            }

            @Override
            public long elapsedMicros() {
                return clock.elapsedMicros();
            }
        }));
        stopped.store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Decision> answer =
                stopped.guard.decide(ask("ann")).whenReady().toCompletableFuture();
        stopped.clock.advance(DEADLINE.plusMillis(500));
        clock.advance(DEADLINE.plusMillis(500));
        assertThat(answer).isNotDone();
        stopped.store.answerNext();
        assertThat(answer.join().decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(stopped.guard.health().lateAnswers()).isZero();
    }
}
