package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.charge;
import static dev.penstock.engine.GuardedStore.grantOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Costs;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.Settlement.Status;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Reply;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GuardPermitTest {
    private static final Limit TOKENS =
            Limit.fixedWindow(100, Duration.ofDays(1)).unit("tokens");
    private static final Hold A_MINUTE = Hold.of(Duration.ofMinutes(1));

    private final GuardedStore guarded = new GuardedStore();
    private final Ask reserve = Ask.of(charge(TOKENS, "ann", 10)).hold(A_MINUTE);

    private Settlement settle(String id, @Nullable Costs actual) {
        return now(guarded.guard.settle(id, actual));
    }

    private static Settlement now(Reply<Settlement> reply) {
        Settlement ready = reply.ifReady();
        return ready != null ? ready : reply.whenReady().toCompletableFuture().getNow(Settlement.expired());
    }

    private String permitOfTheStore() {
        return grantOf(guarded.allowed(reserve)).id();
    }

    /** Returns a permit that was granted in an outage that continues. */
    private String permitOfTheFallback() {
        guarded.allowed(Ask.of(charge(TOKENS, "ann", 0)));
        guarded.loseStore();
        return grantOf(guarded.allowed(reserve)).id();
    }

    @Test
    void permit_inFallback_namesItsIssuer() {
        assertThat(permitOfTheFallback()).startsWith("memory-");
    }

    @Test
    void settle_permitOfTheFallback_isSettledLocally() {
        String id = permitOfTheFallback();
        assertThat(settle(id, Costs.of("tokens", 3))).isEqualTo(Settlement.settled(Costs.of("tokens", 3)));
        assertThat(settle(id, null)).isEqualTo(Settlement.settled(Costs.of("tokens", 3)));
        assertThat(guarded.store.settles).isEmpty();
    }

    @Test
    void settle_permitOfTheFallbackAfterRecovery_isSettledLocally() {
        String id = permitOfTheFallback();
        guarded.regainStore();
        assertThat(settle(id, Costs.of("tokens", 3)).status()).isEqualTo(Status.SETTLED);
        assertThat(guarded.store.settles)
                .allSatisfy(call -> assertThat(call.permitId()).isNotEqualTo(id));
    }

    @Test
    void renew_permitOfTheFallback_isRenewedLocally() {
        String id = permitOfTheFallback();
        guarded.clock.advance(Duration.ofSeconds(40));
        assertThat(now(guarded.guard.renew(id)))
                .isEqualTo(Settlement.renewed(guarded.clock.now().plusSeconds(60)));
    }

    @Test
    void settle_unknownPermitOfAFallback_isUnknownAndTheStoreIsNotAsked() {
        assertThat(settle("memory-of-another-node", null)).isEqualTo(Settlement.unknown());
        assertThat(guarded.store.settles).isEmpty();
    }

    @Test
    void settle_permitOfTheStore_goesToTheStore() {
        String id = permitOfTheStore();
        assertThat(settle(id, Costs.of("tokens", 3))).isEqualTo(Settlement.settled(Costs.of("tokens", 3)));
        assertThat(guarded.store.remaining(reserve)).isEqualTo(97);
    }

    @Test
    void settle_storeAnswersLater_isReturned() {
        String id = permitOfTheStore();
        guarded.store.mood = Mood.WHEN_TOLD;
        Reply<Settlement> reply = guarded.guard.settle(id, null);
        guarded.store.answerNext();
        assertThat(now(reply).status()).isEqualTo(Status.SETTLED);
    }

    @Test
    void reserve_onlyOpenCharges_isAPermitThatHoldsNothing() {
        guarded.loseStore();
        Ask open = Ask.of(charge(TOKENS, "ann", 10, FailureMode.OPEN)).hold(A_MINUTE);
        String id = grantOf(guarded.allowed(open)).id();
        assertThat(settle(id, null)).isEqualTo(Settlement.settled(Costs.NONE));
    }

    @Test
    void slots_inFallback_areFreedByTheirRelease() {
        Limit slots = Limit.concurrency(2, Duration.ofMinutes(1));
        Ask slot = Ask.of(charge(slots, "ann", 1));
        guarded.allowed(Ask.of(charge(slots, "ann", 0)));
        guarded.loseStore();
        String first = grantOf(guarded.allowed(slot)).id();
        guarded.allowed(slot);
        guarded.denied(slot);
        settle(first, null);
        guarded.allowed(slot);
    }

    @Test
    void reset_goesToBoth() {
        guarded.allowed(Ask.of(charge(TOKENS, "ann", 100)));
        guarded.guard.reset(reserve);
        assertThat(guarded.store.remaining(reserve)).isEqualTo(100);
        guarded.loseStore();
        assertThat(guarded.drain(Ask.of(charge(TOKENS, "ann", 1)))).isEqualTo(100);
    }

    @ParameterizedTest
    @EnumSource(
            value = Mood.class,
            names = {"FAILING", "THROWING"})
    void reset_storeFails_failsTheReply(Mood mood) {
        guarded.store.mood = mood;
        assertThat(guarded.guard.reset(reserve).whenReady().toCompletableFuture())
                .isCompletedExceptionally();
    }
}
