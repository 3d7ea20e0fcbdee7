package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.TEN_A_SECOND;
import static dev.penstock.engine.GuardedStore.charge;
import static dev.penstock.engine.GuardedStore.isByFallback;
import static dev.penstock.engine.GuardedStore.present;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Denied;
import dev.penstock.FailureMode;
import dev.penstock.FailurePlan;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.StaticDecision;
import dev.penstock.testkit.LogLines;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GuardFailureModesTest {
    private static final Limit A_DAY = Limit.fixedWindow(10, Duration.ofDays(1));

    private final GuardedStore guarded = new GuardedStore();

    private final Charge open = charge(TEN_A_SECOND, "open", 1, FailureMode.OPEN);
    private final Charge closed = charge(TEN_A_SECOND, "closed", 1, FailureMode.CLOSED);
    private final Charge local = charge(A_DAY, "local", 4);

    @BeforeEach
    void meetThenLoseStore() {
        guarded.allowed(Ask.of(charge(A_DAY, "local", 0), charge(A_DAY, "second", 0)));
        guarded.loseStore();
    }

    private static Charge shadow(Limit limit, String who, long cost, FailureMode mode) {
        LimitSettings settings = LimitSettings.of("policy", limit)
                .enforcement(Enforcement.SHADOW)
                .onStoreFailure(mode);
        return Charge.of(settings, Key.of("counter", who), cost);
    }

    @Test
    void decide_withoutCharges_allows() {
        assertThat(isByFallback(guarded.allowed(Ask.of()))).isTrue();
    }

    @Test
    void decide_open_isSkipped() {
        for (int i = 0; i < 100; i++) {
            Allowed allowed = guarded.allowed(Ask.of(open));
            assertThat(isByFallback(allowed)).isTrue();
            assertThat(allowed.limits()).isEmpty();
            assertThat(allowed.charges()).containsExactly(open);
        }
    }

    @Test
    void decide_closed_deniesWithAnEstimatedRetry() {
        Denied denied = guarded.denied(Ask.of(closed));
        assertThat(isByFallback(denied)).isTrue();
        assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FAILED);
        assertThat(denied.retry()).isInstanceOf(Retry.Estimate.class);
        assertThat(present(denied.retry().waitFor())).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void decide_local_isDecidedByTheShareAndReported() {
        Allowed first = guarded.allowed(Ask.of(local));
        assertThat(isByFallback(first)).isTrue();
        assertThat(first.limits()).extracting(LimitStatus::remaining).containsExactly(6L);
        guarded.allowed(Ask.of(local));
        Denied denied = guarded.denied(Ask.of(local));
        assertThat(isByFallback(denied)).isTrue();
        assertThat(denied.reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        assertThat(present(denied.binding()).remaining()).isEqualTo(2);
    }

    @Test
    void decide_localDenied_waitIsAnEstimate() {
        guarded.drain(Ask.of(local));
        assertThat(guarded.denied(Ask.of(local)).retry()).isInstanceOf(Retry.Estimate.class);
    }

    @Test
    void decide_severalLocal_areAllOrNothing() {
        Charge second = charge(A_DAY, "second", 9);
        guarded.allowed(Ask.of(local, second));
        assertThat(guarded.denied(Ask.of(local, second)).limits())
                .extracting(LimitStatus::isExceeded)
                .containsExactly(false, true);
        guarded.allowed(Ask.of(local));
        guarded.denied(Ask.of(local));
    }

    @Test
    void decide_openBesideLocal_theLocalOneDecides() {
        Ask ask = Ask.of(open, local);
        assertThat(guarded.drain(ask)).isEqualTo(2);
        assertThat(guarded.denied(ask).limits()).extracting(LimitStatus::key).containsExactly(local.key());
        assertThat(guarded.denied(ask).charges()).containsExactly(open, local);
    }

    @Test
    void decide_closedBesideOthers_deniesAndChargesNothing() {
        for (int i = 0; i < 5; i++) {
            Denied denied = guarded.denied(Ask.of(open, local, closed));
            assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FAILED);
            assertThat(denied.limits()).isEmpty();
            assertThat(denied.charges()).containsExactly(open, local, closed);
        }
        assertThat(guarded.drain(Ask.of(local))).isEqualTo(2);
    }

    @Test
    void decide_shadow_neverDenies() {
        Charge shadow = shadow(TEN_A_SECOND, "shadow", 1, FailureMode.CLOSED);
        assertThat(guarded.allowed(Ask.of(shadow)).limits()).isEmpty();
        Charge local12 = shadow(A_DAY, "local", 12, FailureMode.LOCAL);
        assertThat(guarded.allowed(Ask.of(local12, open)).shadowDenials()).hasSize(1);
    }

    @Test
    void peek_answersTheSameAndChargesNothing() {
        for (int i = 0; i < 5; i++) {
            Allowed peeked = guarded.allowed(Ask.of(local).peek());
            assertThat(peeked.limits()).extracting(LimitStatus::remaining).containsExactly(10L);
        }
        guarded.denied(Ask.of(closed).peek());
        guarded.allowed(Ask.of(open).peek());
    }

    @Test
    void decide_costAboveTheShareButNotTheLimit_waitsForTheStore() {
        GuardedStore ofFour = new GuardedStore(builder -> builder.nodes(4));
        ofFour.loseStore();
        Denied denied = ofFour.denied(Ask.of(charge(A_DAY, "ann", 3)));
        assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FAILED);
        assertThat(denied.retry()).isInstanceOf(Retry.Estimate.class);
    }

    @Test
    void decide_costAboveTheLimit_neverFits() {
        assertThat(guarded.denied(Ask.of(charge(A_DAY, "ann", 11))).retry()).isEqualTo(new Retry.Never());
    }

    @Test
    void decide_maxDelay_isRespectedByTheShare() {
        Limit shaped = Limit.leakyBucket(1, Duration.ofSeconds(1), 5);
        Ask ask = Ask.of(charge(shaped, "ann", 1)).maxDelay(Duration.ofSeconds(1));
        assertThat(guarded.allowed(ask).delay()).isZero();
        assertThat(guarded.allowed(ask).delay()).isEqualTo(Duration.ofSeconds(1));
        guarded.denied(ask);
    }

    @Test
    void decide_id_isChargedOnce() {
        Ask ask = Ask.of(local).id("request-1");
        for (int i = 0; i < 5; i++) {
            guarded.allowed(ask);
        }
        assertThat(guarded.allowed(Ask.of(local).peek()).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(6L);
    }

    @Test
    void localFor_over_sharesKeepDecidingAndOneAlarmIsRaised() {
        guarded.allowed(Ask.of(local));
        guarded.clock.advance(Duration.ofMinutes(10));
        guarded.events.clear();
        guarded.allowed(Ask.of(local));
        assertThat(guarded.denied(Ask.of(local)).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        guarded.allowed(Ask.of(open));
        assertThat(guarded.events).containsExactly(timeUp(FailureMode.LOCAL, FailureMode.LOCAL));
    }

    @Test
    void localFor_overThenClosed_closes() {
        GuardedStore strict = new GuardedStore(
                builder -> builder.localFor(Duration.ofSeconds(30)).then(FailureMode.CLOSED));
        strict.loseStore();
        strict.allowed(Ask.of(local));
        strict.clock.advance(Duration.ofSeconds(30));
        assertThat(strict.denied(Ask.of(local)).reason()).isEqualTo(Denied.Reason.STORE_FAILED);
        strict.allowed(Ask.of(open));
    }

    @Test
    void timeUp_isLogged() {
        guarded.clock.advance(Duration.ofMinutes(10));
        try (LogLines log = LogLines.of(Guard.class)) {
            guarded.allowed(Ask.of(local));
            guarded.allowed(Ask.of(bounded(FailureMode.OPEN, Duration.ofMinutes(5), FailureMode.LOCAL, "ann")));
            assertThat(log.all())
                    .containsExactly(
                            "SEVERE the store scripted has been away for too long; LOCAL limits keep enforcing their shares",
                            "SEVERE the store scripted has been away for too long; limits that were OPEN are LOCAL from now on");
        }
    }

    @Test
    void open_timeUpThenLocal_theShareDecides() {
        Charge briefly = bounded(FailureMode.OPEN, Duration.ofMinutes(5), FailureMode.LOCAL, "ann");
        for (int i = 0; i < 50; i++) {
            assertThat(guarded.allowed(Ask.of(briefly)).limits()).isEmpty();
        }
        guarded.clock.advance(Duration.ofMinutes(5));
        guarded.events.clear();
        assertThat(guarded.drain(Ask.of(briefly))).isEqualTo(10);
        assertThat(guarded.events).containsExactly(timeUp(FailureMode.OPEN, FailureMode.LOCAL));
    }

    @Test
    void open_timeUpThenLocal_startsFromTheStoresReportAndIsPosted() {
        GuardedStore seen = new GuardedStore();
        Charge briefly = bounded(FailureMode.OPEN, Duration.ofMinutes(5), FailureMode.LOCAL, "ann");
        seen.allowed(Ask.of(briefly.at(7)));
        seen.loseStore();
        seen.allowed(Ask.of(briefly));
        seen.clock.advance(Duration.ofMinutes(5));
        seen.allowed(Ask.of(open)); // the probe, which the store may have counted
        assertThat(seen.drain(Ask.of(briefly))).isEqualTo(3);
        seen.regainStore();
        seen.clock.advance(Duration.ofSeconds(10));
        assertThat(seen.store.remaining(Ask.of(briefly))).isZero();
    }

    @Test
    void open_timeUpThenClosed_closes() {
        Charge briefly = bounded(FailureMode.OPEN, Duration.ofMinutes(5), FailureMode.CLOSED, "ann");
        guarded.allowed(Ask.of(briefly));
        guarded.clock.advance(Duration.ofMinutes(5));
        assertThat(guarded.denied(Ask.of(briefly)).reason()).isEqualTo(Denied.Reason.STORE_FAILED);
    }

    @Test
    void closed_timeUpThenLocal_theShareDecides() {
        Charge briefly = bounded(FailureMode.CLOSED, Duration.ofMinutes(1), FailureMode.LOCAL, "ann");
        guarded.denied(Ask.of(briefly));
        guarded.clock.advance(Duration.ofMinutes(1));
        assertThat(guarded.drain(Ask.of(briefly))).isEqualTo(10);
    }

    private StoreOutageEvent timeUp(FailureMode mode, FailureMode then) {
        return new StoreOutageEvent.TimeUp("scripted", guarded.clock.now(), mode, then);
    }

    @Test
    void localFor_overThenOpen_skips() {
        GuardedStore lenient = new GuardedStore(
                builder -> builder.localFor(Duration.ofSeconds(30)).then(FailureMode.OPEN));
        lenient.loseStore();
        assertThat(lenient.drain(Ask.of(charge(A_DAY, "ann", 1)))).isEqualTo(10);
        lenient.clock.advance(Duration.ofSeconds(30));
        for (int i = 0; i < 50; i++) {
            assertThat(lenient.allowed(Ask.of(charge(A_DAY, "ann", 1))).limits())
                    .isEmpty();
        }
        lenient.denied(Ask.of(closed));
    }

    @Test
    void atMost_ofThePolicy_overridesTheGuards() {
        Charge briefly = bounded(FailureMode.LOCAL, Duration.ofSeconds(30), FailureMode.OPEN, "ann");
        Charge longer = bounded(FailureMode.LOCAL, Duration.ofHours(1), FailureMode.CLOSED, "bob");
        assertThat(guarded.drain(Ask.of(briefly))).isEqualTo(10);
        guarded.clock.advance(Duration.ofSeconds(30));
        guarded.events.clear();
        assertThat(guarded.allowed(Ask.of(briefly)).limits()).isEmpty();
        guarded.allowed(Ask.of(briefly));
        assertThat(guarded.events).containsExactly(timeUp(FailureMode.LOCAL, FailureMode.OPEN));
        guarded.clock.advance(Duration.ofMinutes(10));
        guarded.allowed(Ask.of(longer));
        guarded.clock.advance(Duration.ofMinutes(50));
        assertThat(guarded.denied(Ask.of(longer)).reason()).isEqualTo(Denied.Reason.STORE_FAILED);
    }

    @Test
    void atMost_limitWithoutShare_isDecidedByTheNextMode() {
        GuardedStore many = new GuardedStore(builder -> builder.nodes(1_000));
        many.loseStore();
        Limit century = Limit.tokenBucket(1, Duration.ofDays(36_600));
        LimitSettings settings = LimitSettings.of("policy", century);
        Key ann = Key.of("counter", "ann");
        many.denied(Ask.of(Charge.of(settings, ann, 1)));
        FailurePlan thenOpen = FailurePlan.of(FailureMode.LOCAL).atMost(Duration.ofHours(1), FailureMode.OPEN);
        many.allowed(Ask.of(Charge.of(settings.onStoreFailure(thenOpen), ann, 1)));
    }

    private static Charge bounded(FailureMode mode, Duration atMost, FailureMode then, String who) {
        FailurePlan plan = FailurePlan.of(mode).atMost(atMost, then);
        return Charge.of(LimitSettings.of("policy", A_DAY).onStoreFailure(plan), Key.of("counter", who), 1);
    }

    @Test
    void decide_staticDecision_needsNoStore() {
        Ask ruled = Ask.of(new StaticDecision(StaticDecision.Verdict.DENY, "default", null));
        assertThat(guarded.denied(ruled).reason()).isEqualTo(Denied.Reason.LISTED);
    }

    @Test
    void localFor_countsEachOutageSeparately() {
        guarded.clock.advance(Duration.ofMinutes(9));
        guarded.regainStore();
        guarded.loseStore();
        guarded.clock.advance(Duration.ofMinutes(9));
        assertThat(guarded.decide(Ask.of(local)).limits()).hasSize(1);
    }

    @Test
    void nodes_unknown_isIgnored() {
        GuardedStore unsure = new GuardedStore(builder -> builder.nodes(() -> {
            throw new IllegalStateException("unknown");
        }));
        unsure.loseStore();
        unsure.allowed(Ask.of(charge(A_DAY, "ann", 1)));
    }

    @Test
    void share_thatCannotBeCounted_isDecidedByTheModeAfterLocal() {
        Limit century = Limit.tokenBucket(1, Duration.ofDays(36_600));
        GuardedStore many = new GuardedStore(builder -> builder.nodes(1_000));
        many.loseStore();
        assertThat(many.denied(Ask.of(charge(century, "ann", 1))).reason()).isEqualTo(Denied.Reason.STORE_FAILED);
    }
}
