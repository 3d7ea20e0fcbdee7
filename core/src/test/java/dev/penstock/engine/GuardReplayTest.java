package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.DEADLINE;
import static dev.penstock.engine.GuardedStore.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Costs;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The posting of charges to the store after an outage. */
class GuardReplayTest {
    private static final Limit A_DAY = Limit.fixedWindow(100, Duration.ofDays(1));
    private static final Duration SOME_ROUNDS = Duration.ofSeconds(10);
    private static final Duration POSTS_PATIENCE = Duration.ofSeconds(1);

    private final GuardedStore guarded = new GuardedStore();

    private static Ask of(Limit limit, long cost) {
        return Ask.of(charge(limit, "ann", cost));
    }

    private long remaining(Limit limit) {
        return guarded.store.remaining(of(limit, 0));
    }

    /** Uses a limit with the store, then without it. */
    private void useWithoutStore(Limit limit, long before, long meanwhile) {
        guarded.allowed(of(limit, before));
        guarded.loseStore();
        guarded.allowed(of(limit, meanwhile));
    }

    @Test
    void post_keyIsUsedNext_isMadeBeforeTheAnswer() {
        useWithoutStore(A_DAY, 10, 30);
        assertThat(remaining(A_DAY)).isEqualTo(90);
        guarded.regainStore();
        assertThat(guarded.allowed(of(A_DAY, 1)).limits().get(0).remaining()).isEqualTo(59);
    }

    @Test
    void post_keyIsNotUsed_isMadeAnyway() {
        useWithoutStore(A_DAY, 10, 30);
        guarded.regainStore();
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(remaining(A_DAY)).isEqualTo(60);
    }

    @Test
    void post_isMadeOnce() {
        useWithoutStore(A_DAY, 10, 30);
        guarded.regainStore();
        guarded.allowed(of(A_DAY, 0));
        guarded.clock.advance(SOME_ROUNDS);
        guarded.allowed(of(A_DAY, 0));
        assertThat(remaining(A_DAY)).isEqualTo(60);
        assertThat(guarded.store.settles).hasSize(1);
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void post_moreThanIsLeft_becomesDebt() {
        Limit bucket = Limit.tokenBucket(100, Duration.ofSeconds(1_000));
        useWithoutStore(bucket, 10, 80);
        guarded.store.real.decide(of(bucket, 60));
        guarded.regainStore();
        guarded.decide(of(bucket, 1));
        assertThat(remaining(bucket)).isZero();
        assertThat(guarded.store.settles).hasSize(1);
        assertThat(guarded.store.settles.get(0).actual()).isEqualTo(Costs.of("requests", 80));
    }

    @Test
    void post_accountAlreadyInDebt_isRetriedWhileItMatters() {
        Limit bucket = Limit.tokenBucket(100, Duration.ofSeconds(1_000));
        useWithoutStore(bucket, 10, 80);
        putIntoDebt(bucket, 120);
        guarded.regainStore();
        guarded.decide(of(bucket, 1));
        assertThat(guarded.store.settles).isEmpty();
        guarded.store.real.reset(of(bucket, 1));
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(guarded.store.settles).hasSize(1);
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void post_accountInDebtForLong_isGivenUp() {
        useWithoutStore(A_DAY, 10, 30);
        putIntoDebt(A_DAY, 150);
        guarded.regainStore();
        guarded.clock.advance(Duration.ofMinutes(2));
        assertThat(guarded.store.settles).isEmpty();
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    private void putIntoDebt(Limit limit, long amount) {
        Ask nothing = of(limit, 0).hold(Hold.of(Duration.ofSeconds(1)));
        guarded.store.real.settle(
                GuardedStore.grantOf(guarded.store.real.decide(nothing)).id(), Costs.of("requests", amount));
    }

    @Test
    void post_permitsThatHaveComeBack_areNotPosted() {
        Limit bucket = Limit.tokenBucket(10, Duration.ofSeconds(1));
        useWithoutStore(bucket, 1, 9);
        guarded.clock.advance(Duration.ofMinutes(1));
        guarded.regainStore();
        guarded.allowed(of(bucket, 10));
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(guarded.store.settles).isEmpty();
    }

    @Test
    void post_windowOver_isNotPosted() {
        useWithoutStore(A_DAY, 10, 30);
        guarded.clock.advance(Duration.ofDays(1));
        guarded.regainStore();
        guarded.allowed(of(A_DAY, 1));
        assertThat(remaining(A_DAY)).isEqualTo(99);
    }

    @Test
    void post_costTheStoreMayHaveCharged_isNotPosted() {
        guarded.allowed(of(A_DAY, 10));
        guarded.store.mood = Mood.WHEN_TOLD;
        guarded.guard.decide(of(A_DAY, 30));
        guarded.clock.advance(DEADLINE);
        guarded.store.answerNext();
        guarded.loseStore();
        guarded.allowed(of(A_DAY, 5));
        guarded.regainStore();
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(remaining(A_DAY)).isEqualTo(55);
    }

    @ParameterizedTest
    @EnumSource(
            value = Mood.class,
            names = {"FAILING", "WHEN_TOLD"})
    void post_storeFails_isRetried(Mood mood) {
        useWithoutStore(A_DAY, 10, 30);
        guarded.regainStore();
        guarded.store.mood = mood;
        untilStoreIsAsked();
        guarded.store.mood = Mood.AT_ONCE;
        assertThat(remaining(A_DAY)).isEqualTo(90);
        guarded.clock.advance(POSTS_PATIENCE);
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(guarded.guard.isInFallback()).isFalse();
        assertThat(remaining(A_DAY)).isEqualTo(60);
    }

    /**
     * Waits until the store is asked. Rounds are jittered, so a fixed time of failure could contain enough of them to
     * make the guard give up the store.
     */
    private void untilStoreIsAsked() {
        guarded.store.asks.clear();
        for (int i = 0; i < 1_000 && guarded.store.asks.isEmpty(); i++) {
            guarded.clock.advance(Duration.ofMillis(1));
        }
        assertThat(guarded.store.asks).hasSize(1);
    }

    @Test
    void post_slots_areNotPosted() {
        Limit slots = Limit.concurrency(10, Duration.ofMinutes(1));
        useWithoutStore(slots, 1, 5);
        guarded.regainStore();
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(guarded.store.settles).isEmpty();
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void post_shadowCharges_arePosted() {
        LimitSettings shadow = LimitSettings.of("shadow", A_DAY).enforcement(Enforcement.SHADOW);
        Ask ask = Ask.of(Charge.of(shadow, Key.of("counter", "ann"), 20));
        guarded.allowed(ask);
        guarded.loseStore();
        guarded.allowed(ask);
        guarded.regainStore();
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(remaining(A_DAY)).isEqualTo(60);
    }

    @Test
    void post_openCharges_areNotPosted() {
        Ask ask = Ask.of(charge(A_DAY, "ann", 20, FailureMode.OPEN));
        guarded.allowed(ask);
        guarded.loseStore();
        guarded.allowed(ask);
        guarded.regainStore();
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(remaining(A_DAY)).isEqualTo(80);
    }

    @Test
    void post_reservedCost_isPosted() {
        guarded.allowed(of(A_DAY, 10));
        guarded.loseStore();
        Ask reserve = of(A_DAY, 30).hold(Hold.of(Duration.ofMinutes(5)));
        String permit = GuardedStore.grantOf(guarded.allowed(reserve)).id();
        guarded.guard.settle(permit, Costs.of("requests", 12));
        guarded.regainStore();
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(remaining(A_DAY)).isEqualTo(78);
    }

    @Test
    void post_costStillReserved_isPostedWhenSettled() {
        guarded.allowed(of(A_DAY, 10));
        guarded.loseStore();
        guarded.allowed(of(A_DAY, 5));
        Ask reserve = of(A_DAY, 30).hold(Hold.of(Duration.ofMinutes(5)));
        String permit = GuardedStore.grantOf(guarded.allowed(reserve)).id();
        guarded.regainStore();
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(remaining(A_DAY)).isEqualTo(85);
        guarded.guard.settle(permit, Costs.of("requests", 12));
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(remaining(A_DAY)).isEqualTo(73);
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void post_costReservedUntilExpiry_isPostedAtExpiry() {
        guarded.allowed(of(A_DAY, 10));
        guarded.loseStore();
        guarded.allowed(of(A_DAY, 30).hold(Hold.of(Duration.ofMinutes(1))));
        guarded.regainStore();
        guarded.clock.advance(Duration.ofMinutes(2));
        assertThat(remaining(A_DAY)).isEqualTo(60);
        assertThat(guarded.clock.waitingTasks()).isZero();
    }

    @Test
    void post_intoDebt_neverExceedsMaxDebt() {
        Limit bucket = Limit.tokenBucket(100, Duration.ofSeconds(100)).maxDebt(20);
        useWithoutStore(bucket, 0, 100);
        guarded.store.real.decide(of(bucket, 100));
        guarded.regainStore();
        guarded.denied(of(bucket, 1));
        guarded.clock.advance(Duration.ofSeconds(21));
        guarded.allowed(of(bucket, 1));
    }

    @Test
    void post_ofRepeatedOutages_isNoMoreThanWasAdmitted() {
        guarded.allowed(of(A_DAY, 10));
        for (int i = 0; i < 8; i++) {
            guarded.loseStore();
            guarded.allowed(of(A_DAY, 10));
            guarded.regainStore();
            guarded.clock.advance(SOME_ROUNDS);
            assertThat(remaining(A_DAY)).isEqualTo(80 - 10 * i);
        }
    }

    @Test
    void post_manyKeys_isSpreadOverTime() {
        for (int i = 0; i < 500; i++) {
            guarded.allowed(Ask.of(charge(A_DAY, "user " + i, 1)));
        }
        guarded.loseStore();
        for (int i = 0; i < 500; i++) {
            guarded.allowed(Ask.of(charge(A_DAY, "user " + i, 1)));
        }
        guarded.regainStore();
        int most = 0;
        int total = guarded.store.settles.size();
        for (int i = 0; i < 300; i++) {
            guarded.clock.advance(Duration.ofMillis(50));
            most = Math.max(most, guarded.store.settles.size() - total);
            total = guarded.store.settles.size();
        }
        assertThat(total).isEqualTo(500);
        assertThat(most).isBetween(1, 64);
    }

    @Test
    void post_secondOutageBeforeTheFirstIsPosted_losesNothing() {
        useWithoutStore(A_DAY, 10, 30);
        guarded.regainStore();
        guarded.loseStore();
        guarded.allowed(of(A_DAY, 5));
        guarded.regainStore();
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(remaining(A_DAY)).isEqualTo(55);
    }

    @Test
    void reset_dropsTheAmountOwed() {
        useWithoutStore(A_DAY, 10, 30);
        guarded.store.mood = Mood.AT_ONCE;
        guarded.guard.reset(of(A_DAY, 1));
        guarded.regainStore();
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(remaining(A_DAY)).isEqualTo(100);
    }

    @Test
    void close_stopsPosting() {
        useWithoutStore(A_DAY, 10, 30);
        guarded.regainStore();
        guarded.guard.close();
        assertThat(guarded.store.closed).isTrue();
        guarded.clock.advance(SOME_ROUNDS);
        assertThat(guarded.store.settles).isEmpty();
    }
}
