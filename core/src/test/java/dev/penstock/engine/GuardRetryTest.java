package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.charge;
import static dev.penstock.engine.GuardedStore.grantOf;
import static dev.penstock.engine.GuardedStore.isByFallback;
import static dev.penstock.engine.GuardedStore.now;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.Settlement;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Calls that are repeated under their id, and answers that arrive too late. */
class GuardRetryTest {
    private static final Limit TOKENS =
            Limit.fixedWindow(100, Duration.ofDays(1)).unit("tokens");
    private static final Limit TEN_A_DAY = Limit.fixedWindow(10, Duration.ofDays(1));
    private static final Hold A_MINUTE = Hold.of(Duration.ofMinutes(1));

    private final GuardedStore guarded = new GuardedStore();

    /** Lets the store answer after the deadline. */
    private Decision answeredLate(Ask ask) {
        guarded.store.mood = Mood.WHEN_TOLD;
        Reply<Decision> reply = guarded.guard.decide(ask);
        guarded.clock.advance(GuardedStore.DEADLINE);
        Decision decision = now(reply);
        assertThat(isByFallback(decision)).isTrue();
        guarded.store.mood = Mood.AT_ONCE;
        guarded.store.answerNext();
        return decision;
    }

    @Test
    void lateAnswerToARetry_keepsThePermitOfTheFirstCall() {
        Ask call = Ask.of(charge(TOKENS, "ann", 10)).hold(A_MINUTE).id("call");
        String permit = grantOf(guarded.allowed(call)).id();

        answeredLate(call);

        assertThat(guarded.store.settles).isEmpty();
        assertThat(guarded.guard.settle(permit, Costs.of("tokens", 7)).ifReady())
                .isEqualTo(Settlement.settled(Costs.of("tokens", 7)));
        assertThat(guarded.store.remaining(call)).isEqualTo(93);
    }

    @Test
    void lateAnswerToARetry_keepsTheSlotsOfTheFirstCall() {
        Ask slot = Ask.of(charge(Limit.concurrency(2, Duration.ofMinutes(1)), "ann", 1));
        grantOf(guarded.allowed(slot.id("call")));

        answeredLate(slot.id("call"));

        assertThat(guarded.store.remaining(slot)).isEqualTo(1);
    }

    @Test
    void lateAnswerUnderAnId_isReturnedToTheNextRetry() {
        Ask call = Ask.of(charge(TOKENS, "ann", 10)).hold(A_MINUTE).id("call");
        answeredLate(call);

        Decision again = guarded.allowed(call);

        assertThat(isByFallback(again)).isFalse();
        assertThat(guarded.guard.settle(grantOf(again).id(), null).ifReady())
                .isEqualTo(Settlement.settled(Costs.of("tokens", 10)));
        assertThat(guarded.store.remaining(call)).isEqualTo(90);
    }

    @Test
    void permitOfTheFallback_afterALateAnswer_isPostedToTheStore() {
        Ask call = Ask.of(charge(TOKENS, "ann", 10)).hold(A_MINUTE);
        guarded.allowed(Ask.of(charge(TOKENS, "ann", 0)));
        String permit = grantOf(answeredLate(call)).id();
        assertThat(guarded.store.remaining(call)).as("given back").isGreaterThanOrEqualTo(90);

        guarded.guard.settle(permit, Costs.of("tokens", 10));
        for (int i = 0; i < 20; i++) {
            guarded.clock.advance(Duration.ofMillis(500));
            guarded.decide(Ask.of(charge(TOKENS, "ann", 0)));
        }

        assertThat(guarded.store.remaining(call)).isEqualTo(90);
    }

    @Test
    void oldAnswerUnderAnId_isNotANewReport() {
        Ask one = Ask.of(charge(TEN_A_DAY, "ann", 1));
        assertThat(guarded.allowed(one.id("call")).limits().get(0).remaining()).isEqualTo(9);
        guarded.clock.advance(Duration.ofSeconds(1));
        assertThat(guarded.drain(one)).isEqualTo(9);

        assertThat(guarded.allowed(one.id("call")).limits().get(0).remaining()).isEqualTo(9);
        guarded.loseStore();

        assertThat(guarded.drain(one)).isZero();
    }

    @Test
    void newAnswerUnderAnId_isANewReport() {
        for (int i = 0; i < 10; i++) {
            guarded.clock.advance(Duration.ofMillis(1));
            guarded.allowed(Ask.of(charge(TEN_A_DAY, "ann", 1)).id("call " + i));
        }
        guarded.loseStore();

        assertThat(guarded.drain(Ask.of(charge(TEN_A_DAY, "ann", 1)))).isZero();
    }

    /** If a limiter waited as long as its guard, it could deny before the guard's shares decide. */
    @Test
    void limiter_aroundAGuard_setsNoTimer() {
        ScriptedStore silent = new ScriptedStore(new ManualClock());
        Policy policy = Policy.named("users").limit(TEN_A_DAY, "user").onStoreFailure(FailureMode.LOCAL);
        try (Limiter limiter = Limiter.builder(Policy.setOf(policy))
                .engine(Guard.builder(silent).deadline(Duration.ofMillis(1_200)).build())
                .build()) {
            String permit = grantOf(limiter.reserve(Request.of("user", "eve")).decision())
                    .id();
            silent.mood = Mood.WHEN_TOLD;
            assertThat(limiter.decide(Request.of("user", "ann")))
                    .matches(Decision::isAllowed)
                    .matches(GuardedStore::isByFallback);
            assertThat(limiter.settle(permit, Costs.NONE).status()).isEqualTo(Settlement.Status.PENDING);
            for (int i = 0; i < 5; i++) {
                Request hurried = Request.of("user", "bob " + i).timeout(Duration.ofMillis(5));
                assertThat(limiter.decide(hurried)).matches(Decision::isAllowed);
            }
        }
    }
}
