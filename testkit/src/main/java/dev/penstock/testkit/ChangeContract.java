package dev.penstock.testkit;

import static dev.penstock.testkit.EngineUnderTest.charge;
import static dev.penstock.testkit.EngineUnderTest.shadow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Costs;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PermitHandle;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** The contract for changed numbers of a limit, and for a clock that jumps. */
interface ChangeContract extends EngineUnderTest {
    Limit SLOW = Limit.tokenBucket(1, Duration.ofMinutes(1), 10).id("change");
    Limit FAST = Limit.tokenBucket(100, Duration.ofMinutes(1), 10).id("change");
    /** The time in which {@link #FAST} refills its burst and repays its debt. */
    Duration MOST_OWED = Duration.ofSeconds(12);

    Limit WIDE = Limit.tokenBucket(100, Duration.ofMinutes(1), 100).id("change");

    @Test
    default void change_raisedRate_appliesFromNowOn() {
        drain(SLOW, "ann");
        assertThat(notBefore(denied(charge(FAST, "ann", 1))).after()).isEqualTo(Duration.ofMillis(600));
        pass(Duration.ofMinutes(1));
        assertThat(drain(FAST, "ann")).isEqualTo(10);
    }

    @Test
    default void change_loweredRate_grantsNothingExtra() {
        drain(FAST, "ann");
        assertThat(isAllowed(SLOW, "ann", 1)).isFalse();
        assertThat(notBefore(denied(charge(SLOW, "ann", 1))).after()).isEqualTo(Duration.ofMinutes(1));
    }

    /**
     * A settlement converts the account to the numbers of the permit's limit: the used permits come back at that rate.
     */
    @Test
    default void change_loweredRate_settlementUsesThePermitsNumbers() {
        PermitHandle slow = granted(Ask.of(charge(SLOW, "ann", 1)).hold(PermitContract.FOR_A_MINUTE));
        assertThat(drain(FAST, "ann")).isEqualTo(9);
        settle(slow, Costs.of("requests", 0));
        pass(Duration.ofSeconds(6));
        assertThat(remaining(FAST, "ann")).isEqualTo(1);
    }

    @Test
    default void change_raisedBurst_addsTheDifference() {
        drain(FAST, "ann");
        assertThat(drain(WIDE, "ann")).isEqualTo(90);
    }

    @Test
    default void change_loweredBurst_keepsTheUsedAmount() {
        drain(WIDE, "ann");
        assertThat(notBefore(denied(charge(FAST, "ann", 1))).after()).isEqualTo(Duration.ofMillis(54_600));
    }

    @Test
    default void change_backAndForth_neverGivesMoreThanTheLarger() {
        long got = 0;
        for (int i = 0; i < 600; i++) {
            pass(Duration.ofMillis(100));
            got += isAllowed(i % 2 == 0 ? SLOW : WIDE, "ann", 1) ? 1 : 0;
            got += isAllowed(i % 3 == 0 ? FAST : WIDE, "ann", 1) ? 1 : 0;
        }
        assertThat(got).isBetween(100L, 200L);
    }

    @Test
    default void change_coarserTick_keepsTheAccount() {
        Limit coarse =
                Limit.tokenBucket(1_000_003, Duration.ofDays(365), 1_000_000).id("change");
        assertThat(coarse.tick()).isNotEqualTo(FAST.tick());
        drain(FAST, "ann");
        assertThat(remaining(coarse, "ann")).isEqualTo(999_990);
        assertThat(remaining(FAST, "ann")).isZero();
    }

    @Test
    default void change_windowCount_keepsWhatWasSpent() {
        Limit three = Limit.fixedWindow(3, Duration.ofDays(1));
        Limit five = Limit.fixedWindow(5, Duration.ofDays(1));
        assertThat(drain(three, "ann")).isEqualTo(3);
        assertThat(drain(five, "ann")).isEqualTo(2);
        assertThat(drain(three, "ann")).isZero();
    }

    @Test
    default void change_slidingCounts_keepWhatWasSpent() {
        assertThat(drain(Limit.slidingWindow(3, Duration.ofSeconds(9)), "ann")).isEqualTo(3);
        assertThat(drain(Limit.slidingWindow(5, Duration.ofSeconds(9)), "ann")).isEqualTo(2);
        assertThat(drain(Limit.slidingLog(3, Duration.ofSeconds(9)), "ann")).isEqualTo(3);
        assertThat(drain(Limit.slidingLog(5, Duration.ofSeconds(9)), "ann")).isEqualTo(2);
    }

    @Test
    default void change_slots_keepTheirHolders() {
        Limit two = Limit.concurrency(2, Duration.ofMinutes(1));
        Limit three = Limit.concurrency(3, Duration.ofMinutes(1));
        PermitHandle grant = granted(Ask.of(charge(two, "ann", 2)));
        granted(Ask.of(charge(three, "ann", 1)));
        denied(charge(two, "ann", 1));
        settle(grant, null);
        assertThat(remaining(two, "ann")).isEqualTo(1);
    }

    @Test
    default void clock_backByAnHour_tokenBucketOwesAtMostItsBurstAndDebt() {
        clockGoesBack(FAST, Duration.ofSeconds(12));
    }

    @Test
    default void clock_backByAnHour_leakyBucketOwesAtMostItsQueueAndDebt() {
        clockGoesBack(Limit.leakyBucket(10, Duration.ofSeconds(1), 5), Duration.ofSeconds(1));
    }

    @Test
    default void clock_backByAnHour_fixedWindowWaitsAtMostTwoWindows() {
        clockGoesBack(Limit.fixedWindow(3, Duration.ofSeconds(1)), Duration.ofSeconds(2));
    }

    @Test
    default void clock_backByAnHour_slidingWindowWaitsAtMostThreeWindows() {
        clockGoesBack(Limit.slidingWindow(3, Duration.ofSeconds(1)), Duration.ofSeconds(3));
    }

    @Test
    default void clock_backByAnHour_slidingLogWaitsAtMostOneWindow() {
        clockGoesBack(Limit.slidingLog(3, Duration.ofSeconds(1)), Duration.ofSeconds(1));
    }

    /** If the clock is set back, spent permits stay spent, for at most a bound that does not depend on the jump. */
    private void clockGoesBack(Limit limit, Duration lockedOutAtMost) {
        assertThat(drain(limit, "ann")).isEqualTo(limit.capacity());
        pass(Duration.ofHours(-1));
        assertThat(drain(limit, "ann")).isZero();
        assertThat(notBefore(denied(charge(limit, "ann", limit.capacity()))).after())
                .isLessThanOrEqualTo(lockedOutAtMost);
        pass(lockedOutAtMost);
        assertThat(drain(limit, "ann")).isEqualTo(limit.capacity());
    }

    @Test
    default void clock_backByAnHour_slotsAreHeldForAtMostTheirTtl() {
        Limit slots = Limit.concurrency(2, Duration.ofMinutes(1));
        granted(Ask.of(charge(slots, "ann", 2)));
        pass(Duration.ofHours(-1));
        assertThat(remaining(slots, "ann")).isZero();
        pass(Duration.ofMinutes(1));
        assertThat(remaining(slots, "ann")).isEqualTo(2);
    }

    /** Every access repairs the account, even a settlement that finds its permit expired. */
    @Test
    default void clock_backByAnHour_lateSettlementRepairsOtherHolds() {
        Limit slots = Limit.concurrency(2, Duration.ofMinutes(1));
        PermitHandle settled = granted(Ask.of(charge(slots, "ann", 1)));
        PermitHandle renewed = granted(Ask.of(charge(slots, "bob", 1)));
        pass(Duration.ofSeconds(90)); // expired, but not yet removed
        granted(Ask.of(charge(slots, "ann", 1)));
        granted(Ask.of(charge(slots, "bob", 1)));
        pass(Duration.ofHours(-1));
        assertThat(settle(settled, null)).isEqualTo(Settlement.expired());
        assertThat(renew(renewed)).isEqualTo(Settlement.expired());
        pass(Duration.ofMinutes(1));
        assertThat(remaining(slots, "ann")).isEqualTo(2);
        assertThat(remaining(slots, "bob")).isEqualTo(2);
    }

    /** A charge of cost 0 stores nothing, so the account stays in the window in which it was spent. */
    @Test
    default void clock_backIntoASpentWindow_afterACostOfZeroInTheNext_isStillSpent() {
        Limit daily = Limit.fixedWindow(3, Duration.ofDays(1));
        drain(daily, "ann");
        pass(Duration.ofDays(1));
        allowed(charge(daily, "ann", 0));
        pass(Duration.ofDays(-1));
        assertThat(remaining(daily, "ann")).isZero();
    }

    /** The repair of an account is stored even if the charge is not made, and the account recovers from then on. */
    @Test
    default void clock_backByAnHour_shadowThatDoesNotFitRepairsItsAccount() {
        drain(FAST, "ann");
        pass(Duration.ofHours(-1));
        allowed(shadow(FAST, "ann", 10), charge(FAST, "bob", 1));
        pass(MOST_OWED);
        assertThat(remaining(FAST, "ann")).isEqualTo(10);
    }

    /** Settling and renewing bring the account up to date, even if nothing is charged. */
    @Test
    default void clock_backByAnHour_settlementAndRenewalRepairTheirAccounts() {
        PermitHandle settled = granted(Ask.of(charge(FAST, "ann", 1)).hold(PermitContract.FOR_A_MINUTE));
        PermitHandle renewed = granted(Ask.of(charge(FAST, "bob", 1)).hold(PermitContract.FOR_A_MINUTE));
        drain(FAST, "ann");
        drain(FAST, "bob");
        pass(Duration.ofHours(-1));
        assertThat(settle(settled, Costs.of("requests", 0)).status()).isEqualTo(Settlement.Status.SETTLED);
        assertThat(renew(renewed).status()).isEqualTo(Settlement.Status.RENEWED);
        pass(MOST_OWED);
        assertThat(remaining(FAST, "ann")).isEqualTo(10);
        assertThat(remaining(FAST, "bob")).as("one is still held").isEqualTo(9);
    }

    @Test
    default void clock_aheadByAYear_givesNoMoreThanTheBurst() {
        drain(FAST, "ann");
        pass(Duration.ofDays(365));
        assertThat(drain(FAST, "ann")).isEqualTo(10);
    }

    @Test
    default void calendar_dayOfTwentyThreeHours_endsAtItsMidnight() {
        Limit daily = Limit.calendarWindow(1, CalendarPeriod.DAY, ZoneId.of("Europe/Berlin"));
        clock().set(Instant.parse("2026-03-28T23:00:00Z"));
        assertThat(isAllowed(daily, "ann", 1)).isTrue();
        assertThat(status(daily, "ann").resetAfter()).isEqualTo(Duration.ofHours(23));
        pass(Duration.ofHours(23));
        assertThat(isAllowed(daily, "ann", 1)).isTrue();
        assertThat(status(daily, "ann").resetAfter()).isEqualTo(Duration.ofHours(24));
    }

    @Test
    default void calendar_monthInAnotherZone_changesAtItsMidnight() {
        Limit monthly = Limit.calendarWindow(1, CalendarPeriod.MONTH, ZoneId.of("Asia/Tokyo"));
        clock().set(Instant.parse("2025-01-31T14:59:59.999999Z"));
        assertThat(isAllowed(monthly, "ann", 1)).isTrue();
        clock().set(Instant.parse("2025-01-31T15:00:00Z"));
        assertThat(isAllowed(monthly, "ann", 1)).isTrue();
        assertThat(notBefore(denied(charge(monthly, "ann", 1))).time())
                .isEqualTo(Instant.parse("2025-02-28T15:00:00Z"));
    }
}
