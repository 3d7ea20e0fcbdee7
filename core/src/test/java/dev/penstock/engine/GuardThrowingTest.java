package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.DEADLINE;
import static dev.penstock.engine.GuardedStore.ask;
import static dev.penstock.engine.GuardedStore.grantOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.Settlement;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** If anything in the guard throws when a wait ends, its caller still gets an answer. */
class GuardThrowingTest {
    private final ManualClock time = new ManualClock();
    private int readsThatThrow;

    private final GuardedStore guarded = new GuardedStore(builder -> builder.clock(() -> {
        if (readsThatThrow > 0) {
            readsThatThrow--;
            throw new IllegalStateException("no clock");
        }
        return time.micros();
    }));

    private CompletableFuture<Decision> decide() {
        guarded.store.mood = Mood.WHEN_TOLD;
        return guarded.guard.decide(ask("ann")).whenReady().toCompletableFuture();
    }

    private CompletableFuture<Settlement> settle() {
        String permit = grantOf(guarded.decide(ask("ann").hold(Hold.of(Duration.ofMinutes(1)))))
                .id();
        guarded.store.mood = Mood.WHEN_TOLD;
        return guarded.guard.settle(permit, null).whenReady().toCompletableFuture();
    }

    @Test
    void decide_answerCannotBeRecorded_isStillReturned() {
        CompletableFuture<Decision> answer = decide();
        readsThatThrow = Integer.MAX_VALUE;
        guarded.store.answerNext();
        assertThat(answer).isCompletedWithValueMatching(decision -> decision.decidedBy() == DecidedBy.STORE);
        assertThat(guarded.guard.waiting()).isZero();
    }

    @Test
    void decide_readyAnswerCannotBeRecorded_isStillReturned() {
        readsThatThrow = Integer.MAX_VALUE;
        assertThat(guarded.decide(ask("ann")).decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void decide_missingReplyCannotBeRecorded_failureModeAnswers() {
        CompletableFuture<Decision> answer = decide();
        readsThatThrow = 1;
        guarded.clock.advance(DEADLINE);
        assertThat(answer).isCompletedWithValueMatching(GuardedStore::isByFallback);
        assertThat(readsThatThrow).isZero();
    }

    @Test
    void decide_fallbackThrowsToo_fails() {
        CompletableFuture<Decision> answer = decide();
        readsThatThrow = Integer.MAX_VALUE;
        guarded.clock.advance(DEADLINE);
        assertThat(answer).isCompletedExceptionally();
        assertThat(guarded.guard.waiting()).isZero();
    }

    @Test
    void limiter_fallbackThrowsToo_failureModeAnswers() {
        guarded.store.mood = Mood.WHEN_TOLD;
        Limiter limiter = Limiter.builder(Policy.setOf(Policy.named("p")
                        .limit(GuardedStore.TEN_A_SECOND, "user")
                        .onStoreFailure(FailureMode.CLOSED)))
                .engine(guarded.guard)
                .build();
        CompletableFuture<Decision> answer =
                limiter.decideAsync(Request.of("user", "ann")).toCompletableFuture();
        readsThatThrow = Integer.MAX_VALUE;
        guarded.clock.advance(DEADLINE);
        assertThat(answer)
                .isCompletedWithValueMatching(
                        decision -> decision instanceof Denied denied && denied.reason() == Denied.Reason.STORE_FAILED);
    }

    @Test
    void settle_answerCannotBeRecorded_isStillReturned() {
        CompletableFuture<Settlement> answer = settle();
        readsThatThrow = Integer.MAX_VALUE;
        guarded.store.answerNext();
        assertThat(answer).isCompletedWithValueMatching(settled -> settled.status() == Settlement.Status.SETTLED);
    }

    @Test
    void settle_missingReplyCannotBeRecorded_isQueued() {
        CompletableFuture<Settlement> answer = settle();
        readsThatThrow = 1;
        guarded.clock.advance(DEADLINE);
        assertThat(answer).isCompletedWithValue(Settlement.pending());
        assertThat(readsThatThrow).isZero();
        assertThat(guarded.guard.stats().waitingSettlements()).isEqualTo(1);
    }
}
