package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.DEADLINE;
import static dev.penstock.engine.GuardedStore.TEN_A_SECOND;
import static dev.penstock.engine.GuardedStore.ask;
import static dev.penstock.engine.GuardedStore.charge;
import static dev.penstock.engine.GuardedStore.isByFallback;
import static dev.penstock.engine.GuardedStore.now;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Request;
import dev.penstock.Settlement;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GuardDeadlineTest {
    private static final Duration A_MICROSECOND = Duration.ofNanos(1_000);

    private final GuardedStore guarded = new GuardedStore();

    private CompletableFuture<Decision> later(Ask ask) {
        Reply<Decision> reply = guarded.guard.decide(ask);
        assertThat(reply.ifReady()).isNull();
        return reply.whenReady().toCompletableFuture();
    }

    @Test
    void decide_storeAnswersAtOnce_isReturnedWithoutAFuture() {
        Ask ask = ask("ann");
        Decision decision = guarded.guard.decide(ask).ifReady();
        assertThat(decision).isNotNull();
        assertThat(decision.decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(guarded.store.asks).singleElement().satisfies(asked -> {
            assertThat(asked.charges()).isEqualTo(ask.charges());
            assertThat(asked.timeout()).isEqualTo(Duration.ofSeconds(1));
        });
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void decide_storeAnswersInTime_isReturned() {
        guarded.store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Decision> answer = later(ask("ann"));
        guarded.clock.advance(DEADLINE.minus(A_MICROSECOND));
        assertThat(answer).isNotDone();
        guarded.store.answerNext();
        assertThat(answer.join().decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void decide_storeSilent_answersByFailureModeAtTheDeadline() {
        guarded.store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Decision> answer = later(ask("ann"));
        guarded.clock.advance(DEADLINE.minus(A_MICROSECOND));
        assertThat(answer).isNotDone();
        guarded.clock.advance(A_MICROSECOND);
        assertThat(answer).isCompletedWithValueMatching(GuardedStore::isByFallback);
    }

    @Test
    void decide_askWithTimeout_waitsForItsTimeout() {
        guarded.store.mood = Mood.WHEN_TOLD;
        Ask patient = ask("ann").forRequest(Request.of("user", "ann").timeout(Duration.ofMillis(50)));
        CompletableFuture<Decision> answer = later(patient);
        guarded.clock.advance(Duration.ofMillis(50).minus(A_MICROSECOND));
        assertThat(answer).isNotDone();
        guarded.clock.advance(A_MICROSECOND);
        assertThat(answer).isCompletedWithValueMatching(GuardedStore::isByFallback);
    }

    @Test
    void decide_clockSetBackAnHour_stillAnswersAtTheDeadline() {
        guarded.store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Decision> first = later(ask("ann"));
        guarded.clock.advance(Duration.ofHours(-1));
        CompletableFuture<Decision> second = later(ask("bob"));
        guarded.clock.advance(DEADLINE);
        assertThat(first).isCompletedWithValueMatching(GuardedStore::isByFallback);
        assertThat(second).isCompletedWithValueMatching(GuardedStore::isByFallback);
    }

    @Test
    void settle_clockSetBackAnHour_stillAnswersAtTheDeadline() {
        PermitHandle grant = GuardedStore.grantOf(guarded.decide(ask("ann").hold(Hold.of(Duration.ofMinutes(1)))));
        guarded.store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Settlement> answer =
                guarded.guard.settle(grant.id(), null).whenReady().toCompletableFuture();
        guarded.clock.advance(Duration.ofHours(-1));
        guarded.clock.advance(DEADLINE);
        assertThat(answer).isCompletedWithValueMatching(settled -> settled.status() == Settlement.Status.PENDING);
    }

    @Test
    void decide_manyWithinAMillisecond_shareOneTimerAndNoneIsLate() {
        guarded.store.mood = Mood.WHEN_TOLD;
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            answers.add(later(ask("ann")));
            guarded.clock.advance(Duration.ofNanos(99_000));
        }
        assertThat(guarded.clock.waitingTasks()).isEqualTo(1);
        guarded.clock.advance(DEADLINE);
        assertThat(answers)
                .allSatisfy(answer -> assertThat(answer).isCompletedWithValueMatching(GuardedStore::isByFallback));
    }

    @Test
    void decide_manyOverTime_noneIsAnsweredAfterItsDeadline() {
        guarded.store.mood = Mood.WHEN_TOLD;
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            if (i >= 10) {
                assertThat(answers.get(i - 10)).as("%s", i).isDone();
            }
            Reply<Decision> reply = guarded.guard.decide(ask("ann"));
            answers.add(reply.whenReady().toCompletableFuture());
            guarded.clock.advance(Duration.ofMillis(1));
        }
    }

    @Test
    void decide_oneCallersCodeHangs_othersAreAnswered() {
        guarded.store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Decision> first = later(ask("ann"));
        CompletableFuture<Decision> second = later(ask("bob"));
        CompletableFuture<Void> failing = first.thenAccept(decision -> {
            throw new IllegalStateException("the caller's own");
        });
        guarded.clock.advance(DEADLINE);
        assertThat(failing).isCompletedExceptionally();
        assertThat(second).isCompleted();
    }

    @ParameterizedTest
    @EnumSource(
            value = Mood.class,
            names = {"FAILING", "THROWING", "ANSWERING_NULL"})
    void decide_storeFails_answersByFailureModeAtOnce(Mood mood) {
        guarded.store.mood = mood;
        assertThat(isByFallback(guarded.allowed(ask("ann")))).isTrue();
        assertThat(isByFallback(guarded.denied(Ask.of(charge(TEN_A_SECOND, "ann", 1, FailureMode.CLOSED)))))
                .isTrue();
    }

    @Test
    void decide_replyFailsLater_failureModeAnswers() {
        guarded.store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Decision> answer = later(ask("ann"));
        guarded.store.failNext();
        assertThat(answer).isCompletedWithValueMatching(GuardedStore::isByFallback);
    }

    @Test
    void decide_allowedTooLateWithAPermit_isGivenBack() {
        guarded.store.mood = Mood.WHEN_TOLD;
        Limit tokens = TEN_A_SECOND.unit("tokens");
        Ask reserve = Ask.of(charge(tokens, "ann", 4)).hold(Hold.of(Duration.ofMinutes(1)));
        CompletableFuture<Decision> answer = later(reserve);
        guarded.clock.advance(DEADLINE);
        assertThat(answer).isCompleted();
        guarded.store.answerNext();
        assertThat(guarded.store.settles).hasSize(1);
        assertThat(guarded.store.settles.get(0).actual()).isEqualTo(Costs.of("tokens", 0));
        guarded.store.answerNext();
        assertThat(guarded.store.remaining(reserve)).isEqualTo(10);
    }

    @Test
    void decide_allowedTooLateAndGivingBackFails_isIgnored() {
        guarded.store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Decision> answer = later(ask("ann").hold(Hold.of(Duration.ofMinutes(1))));
        guarded.clock.advance(DEADLINE);
        guarded.store.mood = Mood.THROWING;
        guarded.store.answerNext();
        assertThat(answer).isCompletedWithValueMatching(GuardedStore::isByFallback);
    }

    @Test
    void decide_callerCanceled_givesBackALatePermit() {
        guarded.store.mood = Mood.WHEN_TOLD;
        CompletableFuture<Decision> answer = later(ask("ann").hold(Hold.of(Duration.ofMinutes(1))));
        answer.cancel(false);
        guarded.store.answerNext();
        assertThat(guarded.store.settles).hasSize(1);
    }

    @Test
    void decide_timerFails_answersByFailureModeAtOnce() {
        GuardedStore withoutTimer = new GuardedStore(builder -> builder.scheduler((delay, task) -> {
            throw new IllegalStateException("shut down");
        }));
        withoutTimer.store.mood = Mood.WHEN_TOLD;
        assertThat(isByFallback(now(withoutTimer.guard.decide(ask("ann"))))).isTrue();
    }
}
