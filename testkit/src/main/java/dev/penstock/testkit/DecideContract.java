package dev.penstock.testkit;

import static dev.penstock.testkit.EngineUnderTest.charge;
import static dev.penstock.testkit.EngineUnderTest.shadow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.Settlement;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.algorithm.Lockout;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.PolicyVersion;
import dev.penstock.spi.StaticDecision;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract for deciding an ask. */
interface DecideContract extends EngineUnderTest {
    Limit FIVE_A_SECOND = Limit.tokenBucket(5, Duration.ofSeconds(1));
    Limit THREE_A_DAY = Limit.fixedWindow(3, Duration.ofDays(1));
    Limit TWO_SLOTS = Limit.concurrency(2, Duration.ofMinutes(1));

    @Test
    default void decide_withoutCharges_allows() {
        assertThat(allowed().limits()).isEmpty();
    }

    @Test
    default void decide_upToTheBurst_allowsThatMuchAndNoMore() {
        assertThat(drain(FIVE_A_SECOND, "ann")).isEqualTo(5);
    }

    @Test
    default void decide_otherKey_hasItsOwnAccount() {
        drain(FIVE_A_SECOND, "ann");
        assertThat(drain(FIVE_A_SECOND, "bob")).isEqualTo(5);
    }

    @Test
    default void decide_otherAlgorithm_hasItsOwnAccount() {
        drain(FIVE_A_SECOND, "ann");
        assertThat(drain(THREE_A_DAY, "ann")).isEqualTo(3);
    }

    @Test
    default void decide_usesTheTimeOfTheClock() {
        assertThat(allowed(charge(FIVE_A_SECOND, "ann", 1)).madeAt()).isEqualTo(clock().now());
    }

    @Test
    default void decide_reportsEveryLimitInTheOrderOfTheCharges() {
        Allowed decision = allowed(charge(THREE_A_DAY, "ann", 1), charge(FIVE_A_SECOND, "ann", 2));
        assertThat(decision.limits()).extracting(LimitStatus::limit).containsExactly(THREE_A_DAY, FIVE_A_SECOND);
        assertThat(decision.limits()).extracting(LimitStatus::remaining).containsExactly(2L, 3L);
        assertThat(decision.limits().get(1).resetAfter()).isEqualTo(Duration.ofMillis(400));
    }

    @Test
    default void decide_costAboveBurst_neverFits() {
        assertThat(denied(charge(FIVE_A_SECOND, "ann", 6)).retry()).isEqualTo(new Retry.Never());
        assertThat(denied(charge(THREE_A_DAY, "ann", 4)).retry()).isEqualTo(new Retry.Never());
        assertThat(denied(charge(TWO_SLOTS, "ann", 3)).retry()).isEqualTo(new Retry.Never());
    }

    @Test
    default void decide_costOfTheWholeBurst_fits() {
        assertThat(isAllowed(FIVE_A_SECOND, "ann", 5)).isTrue();
        assertThat(isAllowed(FIVE_A_SECOND, "ann", 1)).isFalse();
    }

    @Test
    default void decide_costZero_isAllowedAndChargesNothing() {
        assertThat(isAllowed(FIVE_A_SECOND, "ann", 0)).isTrue();
        drain(FIVE_A_SECOND, "ann");
        assertThat(isAllowed(FIVE_A_SECOND, "ann", 0)).isTrue();
    }

    @Test
    default void decide_oneOfManyDenies_chargesNone() {
        drain(THREE_A_DAY, "ann");
        Denied denied = denied(
                charge(FIVE_A_SECOND, "ann", 2),
                charge(TWO_SLOTS, "ann", 1),
                charge(THREE_A_DAY, "ann", 1),
                charge(Limit.slidingLog(4, Duration.ofSeconds(9)), "bob", 4));
        assertThat(denied.reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        assertThat(denied.limits()).extracting(LimitStatus::isExceeded).containsExactly(false, false, true, false);
        assertThat(remaining(FIVE_A_SECOND, "ann")).isEqualTo(5);
        assertThat(remaining(TWO_SLOTS, "ann")).isEqualTo(2);
        assertThat(remaining(Limit.slidingLog(4, Duration.ofSeconds(9)), "bob")).isEqualTo(4);
    }

    @Test
    default void decide_denied_postponesNothing() {
        drain(FIVE_A_SECOND, "ann");
        Instant first = notBefore(denied(charge(FIVE_A_SECOND, "ann", 1))).time();
        for (int i = 0; i < 100; i++) {
            denied(charge(FIVE_A_SECOND, "ann", 5));
        }
        assertThat(notBefore(denied(charge(FIVE_A_SECOND, "ann", 1))).time()).isEqualTo(first);
    }

    @Test
    default void decide_deniedByTwo_saysToRetryAtTheLater() {
        drain(FIVE_A_SECOND, "ann");
        drain(THREE_A_DAY, "ann");
        Denied denied = denied(charge(THREE_A_DAY, "ann", 1), charge(FIVE_A_SECOND, "ann", 1));
        assertThat(binding(denied).limit()).isEqualTo(THREE_A_DAY);
        assertThat(notBefore(denied).time()).isEqualTo(Instant.parse("2025-06-19T00:00:00Z"));
    }

    @Test
    default void decide_allowed_bindingLimitHasTheSmallestShareLeft() {
        Allowed allowed = allowed(charge(FIVE_A_SECOND, "ann", 1), charge(THREE_A_DAY, "ann", 1));
        assertThat(binding(allowed).limit()).isEqualTo(THREE_A_DAY);
    }

    @Test
    default void decide_twoChargesOnOneAccount_addUp() {
        assertThat(decide(charge(FIVE_A_SECOND, "ann", 3), charge(FIVE_A_SECOND, "ann", 3)))
                .isInstanceOf(Denied.class);
        Allowed allowed = allowed(charge(FIVE_A_SECOND, "ann", 2), charge(FIVE_A_SECOND, "ann", 3));
        assertThat(allowed.limits()).extracting(LimitStatus::remaining).containsExactly(3L, 0L);
        assertThat(remaining(FIVE_A_SECOND, "ann")).isZero();
    }

    @Test
    default void decide_twoChargesOnOneAccount_fitTogetherOrNotAtAll() {
        allowed(charge(FIVE_A_SECOND, "ann", 2));
        Denied denied = denied(charge(FIVE_A_SECOND, "ann", 2), charge(FIVE_A_SECOND, "ann", 2));
        assertThat(denied.limits()).extracting(LimitStatus::isExceeded).containsExactly(false, true);
        assertThat(remaining(FIVE_A_SECOND, "ann")).isEqualTo(3);
    }

    @Test
    default void decide_shadowLeakyBucket_delaysNothing() {
        Limit slow = Limit.leakyBucket(1, Duration.ofSeconds(2), 10);
        for (int i = 0; i < 3; i++) {
            assertThat(allowed(shadow(slow, "ann", 1)).delay()).isZero();
            assertThat(allowed(shadow(slow, "bob", 1), charge(FIVE_A_SECOND, "bob", 1))
                            .delay())
                    .isZero();
        }
        assertThat(allowed(charge(slow, "ann", 1)).delay()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    default void decide_shadowExceeded_allowsAndReportsAndDoesNotCharge() {
        Allowed allowed = allowed(shadow(THREE_A_DAY, "ann", 4), charge(FIVE_A_SECOND, "ann", 1));
        assertThat(allowed.shadowDenials()).extracting(LimitStatus::limit).containsExactly(THREE_A_DAY);
        assertThat(remaining(THREE_A_DAY, "ann")).isEqualTo(3);
        assertThat(remaining(FIVE_A_SECOND, "ann")).isEqualTo(4);
    }

    @Test
    default void decide_shadowFits_isCharged() {
        assertThat(allowed(shadow(THREE_A_DAY, "ann", 2)).shadowDenials()).isEmpty();
        assertThat(remaining(THREE_A_DAY, "ann")).isEqualTo(1);
    }

    @Test
    default void decide_enforcedDenies_shadowIsNotCharged() {
        denied(shadow(THREE_A_DAY, "ann", 1), charge(FIVE_A_SECOND, "ann", 6));
        assertThat(remaining(THREE_A_DAY, "ann")).isEqualTo(3);
    }

    @Test
    default void decide_shadowAndEnforcedOnOneAccount_checksTheEnforcedFirst() {
        Allowed allowed = allowed(shadow(THREE_A_DAY, "ann", 1), charge(THREE_A_DAY, "ann", 3));
        assertThat(allowed.shadowDenials()).hasSize(1);
        assertThat(remaining(THREE_A_DAY, "ann")).isZero();
    }

    @Test
    default void decide_enoughStrikes_blockForATime() {
        Limit lockout = Limit.of(new Lockout(2, Duration.ofSeconds(10), Duration.ofMinutes(1), ""));
        allowed(charge(lockout, "ann", 1));
        pass(Duration.ofSeconds(10));
        allowed(charge(lockout, "ann", 1));
        assertThat(isAllowed(lockout, "ann", 0))
                .as("the first is no longer in any window")
                .isTrue();
        pass(Duration.ofSeconds(10).minusNanos(1_000));
        assertThat(allowed(charge(lockout, "ann", 1)).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(0L);
        pass(Duration.ofSeconds(59));
        allowed(charge(lockout, "ann", 2));
        Denied denied = denied(charge(lockout, "ann", 0), charge(FIVE_A_SECOND, "ann", 1));
        assertThat(denied.reason()).isEqualTo(Denied.Reason.BLOCKED);
        assertThat(binding(denied).isBlocked()).isTrue();
        assertThat(notBefore(denied).after()).isEqualTo(Duration.ofSeconds(1));
        assertThat(remaining(FIVE_A_SECOND, "ann")).isEqualTo(5);
        pass(Duration.ofSeconds(1));
        assertThat(remaining(lockout, "ann"))
                .as("strikes during the block do not count")
                .isEqualTo(2);
        allowed(charge(lockout, "ann", 0));
    }

    @Test
    default void decide_moreStrikesAtOnceThanCauseABlock_neverFit() {
        Limit lockout = Limit.of(new Lockout(2, Duration.ofSeconds(10), Duration.ofMinutes(1), ""));
        assertThat(denied(charge(lockout, "ann", 3)).retry()).isEqualTo(new Retry.Never());
        allowed(charge(lockout, "ann", 0));
    }

    @Test
    default void decide_lockoutsOfTwoNames_areTwoAccounts() {
        Limit one = Limit.of(new Lockout(1, Duration.ofSeconds(10), Duration.ofMinutes(1), "one"));
        Limit other = Limit.of(new Lockout(1, Duration.ofSeconds(10), Duration.ofMinutes(1), "other"));
        allowed(charge(one, "ann", 1));
        denied(charge(one, "ann", 0));
        allowed(charge(other, "ann", 0));
    }

    @Test
    default void reserve_strikesAndLooks_areNeverHeld() {
        Limit lockout = Limit.of(new Lockout(2, Duration.ofMinutes(5), Duration.ofMinutes(9), ""));
        Hold hold = Hold.of(Duration.ofMinutes(1));
        PermitHandle look = granted(Ask.of(charge(lockout, "ann", 0)).hold(hold));
        assertThat(settle(look, Costs.of("strikes", 2)).status()).isEqualTo(Settlement.Status.SETTLED);
        PermitHandle strike = granted(Ask.of(charge(lockout, "ann", 1)).hold(hold));
        assertThat(remaining(lockout, "ann")).isEqualTo(1);
        settle(strike, Costs.of("strikes", 0));
        assertThat(remaining(lockout, "ann")).isEqualTo(1);
    }

    @Test
    default void reset_blockedKey_isNoLongerBlocked() {
        Limit lockout = Limit.of(new Lockout(1, Duration.ofSeconds(10), Duration.ofMinutes(1), ""));
        allowed(charge(lockout, "ann", 1));
        denied(charge(lockout, "ann", 0));
        reset(charge(lockout, "ann", 0));
        allowed(charge(lockout, "ann", 0));
    }

    @Test
    default void decide_staticDecision_isObeyedAndCountsNothing() {
        PolicyVersion version = new PolicyVersion(3, "abc");
        StaticDecision staticDecision = new StaticDecision(StaticDecision.Verdict.DENY, "bad-guests", version);
        Denied denied = denied(Ask.of(staticDecision).id("request-1"));
        assertThat(denied.reason()).isEqualTo(Denied.Reason.LISTED);
        assertThat(denied.retry()).isEqualTo(new Retry.Never());
        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.POLICY);
        assertThat(denied.staticDecision()).isEqualTo(staticDecision);
        assertThat(denied.policyVersion()).isEqualTo(version);
        Ask welcome = Ask.of(new StaticDecision(StaticDecision.Verdict.ALLOW, "friends", null));
        assertThat(allowed(welcome.hold(Hold.of(Duration.ofSeconds(1)))).permitHandle())
                .isNull();
        assertThat(allowed(welcome.peek()).decidedBy()).isEqualTo(DecidedBy.POLICY);
    }

    @Test
    default void peek_answersTheSameAndChargesNothing() {
        Ask ask = Ask.of(charge(FIVE_A_SECOND, "ann", 5), charge(TWO_SLOTS, "ann", 2));
        for (int i = 0; i < 3; i++) {
            Allowed peeked = allowed(ask.peek());
            assertThat(peeked.permitHandle()).isNull();
            assertThat(peeked.limits()).extracting(LimitStatus::remaining).containsExactly(5L, 2L);
        }
        allowed(ask);
        assertThat(decide(ask.peek())).isInstanceOf(Denied.class);
    }

    @Test
    default void retry_tokenBucket_isExactForALoneClient() {
        retryIsExact(Limit.tokenBucket(7, Duration.ofSeconds(1), 3), 2);
    }

    @Test
    default void retry_tokenBucketInMilliseconds_isExactForALoneClient() {
        Limit coarse = Limit.tokenBucket(1_000_003, Duration.ofDays(365), 1_000_000);
        assertThat(coarse.tick()).isGreaterThan(Duration.ofNanos(1_000));
        retryIsExact(coarse, 7);
    }

    @Test
    default void retry_leakyBucket_isExactForALoneClient() {
        retryIsExact(Limit.leakyBucket(3, Duration.ofSeconds(1), 4), 3);
    }

    @Test
    default void retry_fixedWindow_isExactForALoneClient() {
        retryIsExact(THREE_A_DAY, 1);
    }

    @Test
    default void retry_calendarWindow_isExactForALoneClient() {
        ZoneId newYork = ZoneId.of("America/New_York");
        retryIsExact(Limit.calendarWindow(10, CalendarPeriod.DAY, newYork), 10);
        assertThat(clock().now()).isEqualTo(Instant.parse("2025-06-19T04:00:00Z"));
    }

    @Test
    default void retry_slidingWindow_isExactForALoneClient() {
        retryIsExact(Limit.slidingWindow(10, Duration.ofSeconds(7)), 3);
    }

    @Test
    default void retry_slidingLog_isExactForALoneClient() {
        retryIsExact(Limit.slidingLog(5, Duration.ofSeconds(7)), 2);
    }

    /** Spends everything, and checks that a cost fits at the announced time and not a microsecond before it. */
    private void retryIsExact(Limit limit, long cost) {
        for (long left = limit.capacity(); left > 0; left -= Math.min(left, 100_000)) {
            assertThat(isAllowed(limit, "ann", Math.min(left, 100_000))).isTrue();
        }
        Instant time = notBefore(denied(charge(limit, "ann", cost))).time();
        assertThat(time).isAfter(clock().now());
        clock().set(time.minusNanos(1_000));
        assertThat(notBefore(denied(charge(limit, "ann", cost))).time()).isEqualTo(time);
        clock().set(time);
        assertThat(isAllowed(limit, "ann", cost)).isTrue();
    }

    @Test
    default void decide_leakyBucket_spacesRequestsEvenly() {
        Limit shaped = Limit.leakyBucket(10, Duration.ofSeconds(1), 3);
        assertThat(List.of(1, 2, 3))
                .map(i -> allowed(charge(shaped, "ann", 1)).delay())
                .containsExactly(Duration.ZERO, Duration.ofMillis(100), Duration.ofMillis(200));
        denied(charge(shaped, "ann", 1));
        pass(Duration.ofMillis(100));
        assertThat(allowed(charge(shaped, "ann", 1)).delay()).isEqualTo(Duration.ofMillis(200));
    }

    @Test
    default void decide_leakyBucketAboveTheLongestDelay_denies() {
        Limit shaped = Limit.leakyBucket(10, Duration.ofSeconds(1), 3);
        allowed(charge(shaped, "ann", 1));
        Ask impatient = Ask.of(charge(shaped, "ann", 1)).maxDelay(Duration.ofMillis(99));
        assertThat(notBefore(denied(impatient)).after()).isEqualTo(Duration.ofMillis(1));
        pass(Duration.ofMillis(1));
        assertThat(allowed(impatient).delay()).isEqualTo(Duration.ofMillis(99));
    }

    /** Uses counters whose names are prefixes of others, and names that the store uses itself. */
    @Test
    default void resetCounters_resetsAllOfTheirKeysAndNoOthers() {
        Limit log = Limit.slidingLog(5, Duration.ofSeconds(1));
        Limit slots = Limit.concurrency(5, Duration.ofMinutes(1));
        List<Charge> meant = new ArrayList<>();
        List<Charge> others = new ArrayList<>();
        for (Limit limit : List.of(FIVE_A_SECOND, log, slots)) {
            LimitSettings settings = LimitSettings.of("contract", limit);
            for (String counter : List.of("meant", "a:b/c+d{e}", "bucket")) {
                meant.add(Charge.of(settings, Key.of(counter, "ann"), 2));
                meant.add(Charge.of(settings, Key.of(counter, List.of("ann", "b:c")), 2));
                meant.add(Charge.of(settings, Key.of(counter, "bob"), 2).colocation("tenant"));
            }
            for (String counter : List.of("mean", "meant/other", "a", "permit")) {
                others.add(Charge.of(settings, Key.of(counter, "meant"), 2));
                others.add(Charge.of(settings, Key.of(counter, "meant:ann"), 2).colocation("meant"));
            }
        }
        meant.forEach(charge -> decide(charge));
        others.forEach(charge -> decide(charge));
        EngineUnderTest.await(engine().resetCounters(Set.of("meant", "a:b/c+d{e}", "bucket", "nobody")));

        for (Charge charge : meant) {
            assertThat(left(charge)).as("%s", charge).isEqualTo(5);
        }
        for (Charge charge : others) {
            assertThat(left(charge)).as("%s", charge).isEqualTo(3);
        }
    }

    private long left(Charge charge) {
        Charge free = Charge.of(charge.settings(), charge.key(), 0);
        String together = charge.colocation();
        return decide(Ask.of(together == null ? free : free.colocation(together))
                        .peek())
                .limits()
                .get(0)
                .remaining();
    }

    @Test
    default void reset_affectsOnlyTheNamedAccounts() {
        drain(FIVE_A_SECOND, "ann");
        drain(FIVE_A_SECOND, "bob");
        drain(THREE_A_DAY, "ann");
        reset(charge(FIVE_A_SECOND, "ann", 1));
        assertThat(remaining(FIVE_A_SECOND, "ann")).isEqualTo(5);
        assertThat(remaining(FIVE_A_SECOND, "bob")).isZero();
        assertThat(remaining(THREE_A_DAY, "ann")).isZero();
    }
}
