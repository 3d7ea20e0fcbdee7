package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.DEADLINE;
import static dev.penstock.engine.GuardedStore.charge;
import static dev.penstock.engine.GuardedStore.grantOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Costs;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.Settlement.Status;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.engine.ScriptedStore.SettleCall;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls about the store's permits while the store is unavailable. */
class GuardPendingTest {
    private static final Limit TOKENS =
            Limit.fixedWindow(100, Duration.ofDays(1)).unit("tokens");
    private static final Ask RESERVE = Ask.of(charge(TOKENS, "ann", 10)).hold(Hold.of(Duration.ofMinutes(1)));
    private static final Costs THREE = Costs.of("tokens", 3);
    private static final Duration SOME_ROUNDS = Duration.ofSeconds(1);

    private final GuardedStore guarded = new GuardedStore();

    private String permit() {
        return grantOf(guarded.allowed(RESERVE)).id();
    }

    private Settlement settle(String id, @Nullable Costs actual) {
        return now(guarded.guard.settle(id, actual));
    }

    private Settlement renew(String id) {
        return now(guarded.guard.renew(id));
    }

    private static Settlement now(Reply<Settlement> reply) {
        Settlement ready = reply.ifReady();
        return ready != null ? ready : reply.whenReady().toCompletableFuture().getNow(Settlement.expired());
    }

    private void regainStore() {
        guarded.regainStore();
        guarded.clock.advance(SOME_ROUNDS);
    }

    @Test
    void settle_inAnOutage_isPendingAndSentWhenTheStoreIsBack() {
        String id = permit();
        guarded.loseStore();
        assertThat(settle(id, THREE)).isEqualTo(Settlement.pending());
        assertThat(guarded.store.settles).isEmpty();
        assertThat(guarded.guard.stats()).isEqualTo(new Guard.Stats(1, 0));
        regainStore();
        assertThat(guarded.store.settles).containsExactly(new SettleCall(id, THREE));
        assertThat(guarded.store.remaining(RESERVE)).isEqualTo(97);
        assertThat(guarded.guard.stats()).isEqualTo(new Guard.Stats(0, 0));
        assertThat(settle(id, null)).isEqualTo(Settlement.settled(THREE));
    }

    @Test
    void settle_twiceInAnOutage_firstSettlementIsSent() {
        String id = permit();
        guarded.loseStore();
        settle(id, THREE);
        assertThat(settle(id, null)).isEqualTo(Settlement.pending());
        assertThat(renew(id)).isEqualTo(Settlement.pending());
        regainStore();
        assertThat(guarded.store.settles).containsExactly(new SettleCall(id, THREE));
    }

    @Test
    void settle_againBeforeTheFirstWasSent_answersLikeTheFirst() {
        String id = permit();
        guarded.loseStore();
        settle(id, THREE);
        guarded.regainStore();
        assertThat(settle(id, null)).isEqualTo(Settlement.settled(THREE));
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(guarded.store.remaining(RESERVE)).isEqualTo(97);
        assertThat(guarded.guard.stats().waitingSettlements()).isZero();
    }

    @Test
    void renew_inAnOutage_isPendingAndSentWhenTheStoreIsBack() {
        String id = permit();
        guarded.loseStore();
        guarded.clock.advance(Duration.ofSeconds(50));
        assertThat(renew(id)).isEqualTo(Settlement.pending());
        regainStore();
        guarded.clock.advance(Duration.ofSeconds(50));
        assertThat(settle(id, THREE).status()).isEqualTo(Status.SETTLED);
    }

    @Test
    void settle_afterARenewalInAnOutage_replacesIt() {
        String id = permit();
        guarded.loseStore();
        renew(id);
        settle(id, THREE);
        regainStore();
        assertThat(guarded.store.remaining(RESERVE)).isEqualTo(97);
        assertThat(guarded.guard.stats().waitingSettlements()).isZero();
    }

    @Test
    void settle_permitExpiredMeanwhile_changesNothing() {
        String id = permit();
        guarded.loseStore();
        settle(id, THREE);
        guarded.clock.advance(Duration.ofMinutes(2));
        regainStore();
        assertThat(guarded.store.settles).hasSize(1);
        assertThat(guarded.store.remaining(RESERVE)).isEqualTo(90);
        assertThat(guarded.guard.stats()).isEqualTo(new Guard.Stats(0, 0));
    }

    @ParameterizedTest
    @EnumSource(
            value = Mood.class,
            names = {"FAILING", "THROWING", "ANSWERING_NULL"})
    void settle_storeFailsOnce_isPendingAndSentSoon(Mood mood) {
        String id = permit();
        guarded.store.mood = mood;
        assertThat(settle(id, THREE)).isEqualTo(Settlement.pending());
        guarded.store.mood = Mood.AT_ONCE;
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(guarded.store.remaining(RESERVE)).isEqualTo(97);
        guarded.clock.advance(Duration.ofSeconds(3));
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void settle_storeSilent_isPendingAtTheDeadline() {
        String id = permit();
        guarded.store.mood = Mood.WHEN_TOLD;
        Reply<Settlement> reply = guarded.guard.settle(id, THREE);
        assertThat(reply.whenReady().toCompletableFuture()).isNotDone();
        guarded.clock.advance(DEADLINE);
        assertThat(now(reply)).isEqualTo(Settlement.pending());
        guarded.store.answerNext();
        assertThat(guarded.guard.stats().waitingSettlements()).isZero();
        assertThat(now(reply)).isEqualTo(Settlement.pending());
    }

    @Test
    void settle_storeNeverAcceptsIt_isDroppedAndCounted() {
        String id = permit();
        guarded.store.failsToSettle = true;
        settle(id, THREE);
        guarded.clock.advance(Duration.ofSeconds(100));
        assertThat(guarded.guard.stats()).isEqualTo(new Guard.Stats(0, 1));
    }

    @Test
    void settle_queueFull_isDroppedAndReplacesNoCall() {
        GuardedStore small = new GuardedStore(builder -> builder.maxKeys(2));
        List<String> ids = Stream.generate(() -> grantOf(small.allowed(RESERVE)).id())
                .limit(3)
                .toList();
        small.loseStore();
        assertThat(now(small.guard.renew(ids.get(0)))).isEqualTo(Settlement.pending());
        assertThat(now(small.guard.settle(ids.get(1), null))).isEqualTo(Settlement.pending());
        for (String late : List.of(ids.get(2), "scripted-0123456789abcdef0123456789abcdef")) {
            assertThat(now(small.guard.settle(late, null))).isEqualTo(Settlement.unknown());
        }
        assertThat(now(small.guard.settle(ids.get(0), null)))
                .as("it replaces the renewal")
                .isEqualTo(Settlement.pending());
        assertThat(small.guard.stats()).isEqualTo(new Guard.Stats(2, 2));
        small.regainStore();
        small.clock.advance(SOME_ROUNDS);
        assertThat(small.store.settles)
                .extracting(SettleCall::permitId)
                .containsExactlyInAnyOrderElementsOf(ids.subList(0, 2));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "abc",
                "scripted",
                "scripted-",
                "scripted-1",
                "memory-0123456789abcdef0123456789abcdef",
                "redis-0-0123456789abcdef0123456789abcdef",
                "scripted-0123456789abcdef0123456789abcdef0",
                "scripted-0123456789abcdef0123456789abcdeg"
            })
    void idThatCannotBeTheStores_inAnOutage_isUnknownAndNotQueued(String id) {
        guarded.loseStore();
        assertThat(settle(id, THREE)).isEqualTo(Settlement.unknown());
        assertThat(settle(id, null)).isEqualTo(Settlement.unknown());
        assertThat(renew(id)).isEqualTo(Settlement.unknown());
        assertThat(guarded.guard.stats()).isEqualTo(new Guard.Stats(0, 0));
        assertThat(guarded.guard.mayHaveIssued(id)).isEqualTo(id.startsWith("memory-"));
    }

    @Test
    void decide_allowedTooLateInAnOutage_isGivenBackWhenTheStoreIsBack() {
        guarded.store.mood = Mood.WHEN_TOLD;
        guarded.guard.decide(RESERVE);
        guarded.clock.advance(DEADLINE);
        guarded.loseStore();
        guarded.store.answerNext();
        assertThat(guarded.store.settles).isEmpty();
        regainStore();
        assertThat(guarded.store.settles)
                .contains(new SettleCall(guarded.store.settles.get(0).permitId(), Costs.of("tokens", 0)));
        assertThat(guarded.guard.stats().waitingSettlements()).isZero();
    }
}
