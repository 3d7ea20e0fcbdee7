package dev.penstock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Costs;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.Expected.Kind;
import dev.penstock.testkit.Expected.OfCharge;
import dev.penstock.testkit.Expected.Wait;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Checks the reference against numbers that were calculated by hand. */
class ReferenceEngineTest {
    private static final long SECOND = 1_000_000;
    private static final long START = 1_000 * SECOND;

    private final ReferenceEngine reference = new ReferenceEngine();

    private static Charge charge(Limit limit, long cost) {
        return Charge.of(LimitSettings.of("policy", limit), Key.of("counter", "value"), cost);
    }

    private static Charge shadow(Limit limit, long cost) {
        return Charge.of(
                LimitSettings.of("policy", limit).enforcement(Enforcement.SHADOW), Key.of("counter", "value"), cost);
    }

    private Expected decide(Limit limit, long cost, long now) {
        return reference.decide(Ask.of(charge(limit, cost)), now);
    }

    private OfCharge one(Limit limit, long cost, long now) {
        return decide(limit, cost, now).charges().get(0);
    }

    private int reserve(Limit limit, long cost, Hold hold, long now) {
        Expected expected = reference.decide(Ask.of(charge(limit, cost)).hold(hold), now);
        return Objects.requireNonNull(expected.permit()).handle();
    }

    private static OfCharge fitted(long remaining, long resetMicros) {
        return new OfCharge(false, remaining, resetMicros, null);
    }

    private static OfCharge exceeded(long remaining, long resetMicros, Kind kind, long retryMicros) {
        return new OfCharge(true, remaining, resetMicros, new Wait(kind, retryMicros));
    }

    @Test
    void tokenBucket_sevenASecond_countsInSevenths() {
        Limit limit = Limit.tokenBucket(7, Duration.ofSeconds(1), 3);
        // A permit takes 142857 1/7 us, so after one the bucket is full at START + 142857 1/7: a wait of 142858 us.
        assertThat(one(limit, 1, START)).isEqualTo(fitted(2, 142_858));
        assertThat(one(limit, 2, START)).isEqualTo(fitted(0, 428_572));
        assertThat(one(limit, 1, START)).isEqualTo(exceeded(0, 428_572, Kind.NOT_BEFORE, 142_858));
        assertThat(one(limit, 1, START + 142_857)).isEqualTo(exceeded(0, 285_715, Kind.NOT_BEFORE, 1));
        // At START + 142858, one permit and 6/7 us are back: 428570 5/7 us are missing after the next one.
        assertThat(one(limit, 1, START + 142_858)).isEqualTo(fitted(0, 428_571));
        assertThat(one(limit, 4, START + 142_858)).isEqualTo(exceeded(0, 428_571, Kind.NEVER, 0));
    }

    @Test
    void tokenBucket_sevenASecondForAYear_givesExactlyTheRateAndTheBurst() {
        Limit limit = Limit.tokenBucket(7, Duration.ofSeconds(1), 7).maxDebt(1_000_000);
        long day = 86_400 * SECOND;
        long total = 7;
        assertThat(one(limit, 7, START)).isEqualTo(fitted(0, SECOND));
        for (int i = 0; i < 365; i++) {
            // A day's permits are taken in advance, as debt, so that exactly the burst is owed a day later.
            int permit = reserve(limit, 0, Hold.of(Duration.ofSeconds(1)), START + i * day);
            reference.settle(permit, Costs.of("requests", 604_800), START + i * day);
            total += 604_800;
            assertThat(one(limit, 1, START + (i + 1) * day)).isEqualTo(exceeded(0, SECOND, Kind.NOT_BEFORE, 142_858));
        }
        assertThat(total).isEqualTo(220_752_007);
    }

    @Test
    void tokenBucket_greedyForAYear_getsExactlyTheRateAndTheBurst() {
        Limit limit = Limit.tokenBucket(7, Duration.ofSeconds(1), 70_000);
        GreedyClient client = new GreedyClient(limit, 1) {
            @Override
            protected Expected.OfCharge ask(Ask ask, long now) {
                return reference.decide(ask, now).charges().get(0);
            }
        };
        assertThat(client.permitsInAYear()).isEqualTo(220_752_000 + 70_000);
    }

    @Test
    void tokenBucket_clockBack_owesAtMostCapacityAndDebt() {
        Limit limit = Limit.tokenBucket(1, Duration.ofSeconds(1), 5).maxDebt(2);
        assertThat(one(limit, 5, START)).isEqualTo(fitted(0, 5 * SECOND));
        // 100 s earlier, the bucket would be full in 105 s. This is limited to 7 s, also when time moves forward again.
        assertThat(one(limit, 1, START - 100 * SECOND)).isEqualTo(exceeded(0, 7 * SECOND, Kind.NOT_BEFORE, 3 * SECOND));
        assertThat(one(limit, 1, START - 98 * SECOND)).isEqualTo(exceeded(0, 5 * SECOND, Kind.NOT_BEFORE, SECOND));
    }

    @Test
    void tokenBucket_settledAbove_owesUpToTheDebt() {
        Limit limit = Limit.tokenBucket(1, Duration.ofSeconds(1), 5).maxDebt(2);
        int permit = reserve(limit, 3, Hold.of(Duration.ofSeconds(9)), START);
        assertThat(one(limit, 3, START)).isEqualTo(exceeded(2, 12 * SECOND, Kind.ESTIMATE, 9 * SECOND));
        assertThat(reference.settle(permit, Costs.of("requests", 50), START))
                .isEqualTo(Settlement.settled(Costs.NONE).and("requests", 50, 7));
        assertThat(one(limit, 1, START)).isEqualTo(exceeded(0, 7 * SECOND, Kind.NOT_BEFORE, 3 * SECOND));
    }

    @Test
    void tokenBucket_holdExpires_isChargedThen() {
        Limit limit = Limit.tokenBucket(1, Duration.ofSeconds(1), 5);
        int permit = reserve(limit, 3, Hold.of(Duration.ofSeconds(9)), START);
        // Charged at START + 9, so it is full at START + 12.
        assertThat(one(limit, 0, START + 10 * SECOND)).isEqualTo(fitted(3, 2 * SECOND));
        assertThat(reference.settle(permit, null, START + 10 * SECOND)).isEqualTo(Settlement.expired());
    }

    @Test
    void tokenBucket_changedNumbers_keepTheUsedPermits() {
        Limit slow = Limit.tokenBucket(1, Duration.ofMinutes(1), 10);
        Limit fast = Limit.tokenBucket(100, Duration.ofMinutes(1), 10);
        decide(slow, 10, START);
        assertThat(one(fast, 1, START)).isEqualTo(exceeded(0, 6 * SECOND, Kind.NOT_BEFORE, 600_000));
        assertThat(one(slow, 1, START + 3 * SECOND)).isEqualTo(fitted(4, 6 * 60 * SECOND));
    }

    @Test
    void tokenBucket_changedNumbers_areRoundedUpToWhatCanBeCounted() {
        Limit sevenths = Limit.tokenBucket(7, Duration.ofSeconds(1), 7);
        Limit whole = Limit.tokenBucket(1, Duration.ofSeconds(1), 7);
        decide(sevenths, 1, START);
        // 1 us later, 1 - 7/1000000 of a permit is used. At one permit per second, that is 999993 us.
        assertThat(one(whole, 0, START + 1)).isEqualTo(fitted(6, 999_993));
        // 2 us later, 999991/1000000 of a permit is used. At seven permits per second, that is 999991/7 = 142855 6/7
        // us.
        assertThat(one(sevenths, 0, START + 3)).isEqualTo(fitted(6, 142_856));
        // At 1000 in 7 s, 6999/7000 of a permit is used. At one permit per second, that is 999857 1/7 us, rounded up.
        ReferenceEngine other = new ReferenceEngine();
        other.decide(Ask.of(charge(Limit.tokenBucket(1_000, Duration.ofSeconds(7)), 1)), START);
        assertThat(other.decide(Ask.of(charge(whole, 0)), START + 1).charges().get(0))
                .isEqualTo(fitted(6, 999_858));
    }

    @Test
    void tokenBucket_loweredBelowTheBacklog_keepsAllOfIt() {
        Limit wide = Limit.tokenBucket(1, Duration.ofSeconds(1), 100);
        Limit narrow = Limit.tokenBucket(1, Duration.ofSeconds(1), 5).maxDebt(0);
        decide(wide, 100, START);
        assertThat(one(narrow, 1, START)).isEqualTo(exceeded(0, 100 * SECOND, Kind.NOT_BEFORE, 96 * SECOND));
        // A stretched ceiling follows the backlog down: if the clock is set back, the backlog does not grow again.
        assertThat(one(narrow, 1, START + 90 * SECOND))
                .isEqualTo(exceeded(0, 10 * SECOND, Kind.NOT_BEFORE, 6 * SECOND));
        assertThat(one(narrow, 1, START)).isEqualTo(exceeded(0, 10 * SECOND, Kind.NOT_BEFORE, 6 * SECOND));
    }

    @Test
    void leakyBucket_delaysByTheBacklog() {
        Limit limit = Limit.leakyBucket(3, Duration.ofSeconds(1), 4);
        assertThat(decide(limit, 2, START).delayMicros()).isZero();
        assertThat(decide(limit, 1, START).delayMicros()).isEqualTo(666_667);
        assertThat(decide(limit, 1, START).delayMicros()).isEqualTo(SECOND);
        assertThat(one(limit, 1, START)).isEqualTo(exceeded(0, 1_333_334, Kind.NOT_BEFORE, 333_334));
    }

    @Test
    void leakyBucket_twoChargesOfOneAsk_queueBehindEachOther() {
        Limit limit = Limit.leakyBucket(1, Duration.ofSeconds(1), 4);
        Ask ask = Ask.of(charge(limit, 2), charge(limit, 1));
        assertThat(reference.decide(ask.maxDelay(Duration.ofSeconds(1)), START).allowed())
                .isFalse();
        assertThat(reference
                        .decide(ask.maxDelay(Duration.ofSeconds(2)).peek(), START)
                        .delayMicros())
                .isEqualTo(2 * SECOND);
        assertThat(reference.decide(ask.maxDelay(Duration.ofSeconds(2)), START).delayMicros())
                .isEqualTo(2 * SECOND);
        assertThat(one(limit, 0, START)).isEqualTo(fitted(1, 3 * SECOND));
    }

    @Test
    void leakyBucket_settledBelow_givesBackOnlyTheLastPlace() {
        Limit limit = Limit.leakyBucket(1, Duration.ofSeconds(1), 10);
        int first = reserve(limit, 3, Hold.of(Duration.ofSeconds(9)), START);
        int second = reserve(limit, 3, Hold.of(Duration.ofSeconds(9)), START);
        reference.settle(first, Costs.of("requests", 1), START);
        assertThat(one(limit, 0, START)).isEqualTo(fitted(4, 6 * SECOND));
        reference.settle(second, Costs.of("requests", 1), START);
        assertThat(one(limit, 0, START)).isEqualTo(fitted(6, 4 * SECOND));
        assertThat(reference.settle(reserve(limit, 1, Hold.of(Duration.ofSeconds(9)), START), null, START + 9 * SECOND))
                .isEqualTo(Settlement.expired());
    }

    @Test
    void fixedWindow_isAlignedOnTheEpoch() {
        Limit limit = Limit.fixedWindow(3, Duration.ofSeconds(7));
        // START is at 1000 s, so the window is 994 to 1001.
        assertThat(one(limit, 2, START)).isEqualTo(fitted(1, SECOND));
        assertThat(one(limit, 2, START)).isEqualTo(exceeded(1, SECOND, Kind.NOT_BEFORE, SECOND));
        assertThat(one(limit, 2, START + SECOND)).isEqualTo(fitted(1, 7 * SECOND));
        // Back within 994 to 1001, the next window still counts. Further back, it is the one after that time's own
        // window.
        assertThat(one(limit, 2, START)).isEqualTo(exceeded(1, 8 * SECOND, Kind.NOT_BEFORE, 8 * SECOND));
        assertThat(one(limit, 2, START - 10 * SECOND))
                .isEqualTo(exceeded(1, 11 * SECOND, Kind.NOT_BEFORE, 11 * SECOND));
        assertThat(one(limit, 2, START + SECOND)).isEqualTo(fitted(1, 7 * SECOND));
    }

    @Test
    void fixedWindow_holdExpiresInAnEarlierWindow_isChargedThere() {
        Limit limit = Limit.fixedWindow(3, Duration.ofSeconds(7));
        reserve(limit, 2, Hold.of(Duration.ofMillis(500)), START);
        assertThat(one(limit, 0, START + 999_999)).isEqualTo(fitted(1, 1));
        assertThat(one(limit, 0, START + SECOND)).isEqualTo(fitted(3, 0));
    }

    @Test
    void calendarWindow_apiaSkipsADay() {
        Limit daily = Limit.calendarWindow(1, CalendarPeriod.DAY, ZoneId.of("Pacific/Apia"));
        long dayBefore = micros("2011-12-29T10:00:00Z"); // midnight of 29 December, ten hours behind
        assertThat(one(daily, 1, dayBefore)).isEqualTo(fitted(0, 24 * 3_600 * SECOND));
        assertThat(one(daily, 1, dayBefore + 24 * 3_600 * SECOND)).isEqualTo(fitted(0, 24 * 3_600 * SECOND));
        Limit weekly = Limit.calendarWindow(1, CalendarPeriod.WEEK, ZoneId.of("Pacific/Apia"));
        assertThat(one(weekly, 1, micros("2011-12-26T10:00:00Z"))).isEqualTo(fitted(0, 6 * 24 * 3_600 * SECOND));
    }

    @Test
    void calendarWindow_saoPauloWithoutMidnight_beginsAtOne() {
        Limit daily = Limit.calendarWindow(1, CalendarPeriod.DAY, ZoneId.of("America/Sao_Paulo"));
        // 4 November 2018 begins at 01:00 (UTC-2), which is 03:00 UTC, and lasts 23 hours.
        assertThat(one(daily, 1, micros("2018-11-04T02:59:59Z"))).isEqualTo(fitted(0, SECOND));
        assertThat(one(daily, 1, micros("2018-11-04T03:00:00Z"))).isEqualTo(fitted(0, 23 * 3_600 * SECOND));
    }

    @Test
    void calendarWindow_yearsAndMonths_haveTheirLengths() {
        Limit yearly = Limit.calendarWindow(1, CalendarPeriod.YEAR, ZoneId.of("UTC"));
        assertThat(one(yearly, 1, micros("2024-01-01T00:00:00Z"))).isEqualTo(fitted(0, 366L * 86_400 * SECOND));
        Limit monthly = Limit.calendarWindow(1, CalendarPeriod.MONTH, ZoneId.of("UTC"));
        assertThat(one(monthly, 1, micros("2024-02-10T00:00:00Z"))).isEqualTo(fitted(0, 20L * 86_400 * SECOND));
    }

    @Test
    void slidingWindow_weighsTheWindowBefore() {
        Limit limit = Limit.slidingWindow(10, Duration.ofSeconds(10));
        decide(limit, 10, START + 5 * SECOND);
        // A quarter into the next window, three quarters of the ten count: seven and a half, so two are left.
        assertThat(one(limit, 0, START + 12_500_000)).isEqualTo(fitted(2, 7_500_000));
        assertThat(one(limit, 3, START + 12_500_000)).isEqualTo(exceeded(2, 7_500_000, Kind.NOT_BEFORE, 500_000));
        assertThat(one(limit, 3, START + 13 * SECOND)).isEqualTo(fitted(0, 17 * SECOND));
        assertThat(one(limit, 10, START + 13 * SECOND))
                .isEqualTo(exceeded(0, 17 * SECOND, Kind.NOT_BEFORE, 17 * SECOND));
    }

    @Test
    void slidingWindow_waits_areTheFirstTickThatFits() {
        Limit limit = Limit.slidingWindow(5, Duration.ofNanos(7_000));
        for (long spent = 0; spent <= 5; spent++) {
            for (long later = 0; later < 14; later++) {
                for (long cost = 1; cost <= 5; cost++) {
                    checkFirstTickThatFits(limit, spent, later, cost);
                }
            }
        }
    }

    private static void checkFirstTickThatFits(Limit limit, long spent, long later, long cost) {
        ReferenceEngine engine = new ReferenceEngine();
        engine.decide(Ask.of(charge(limit, spent)), 7_000);
        engine.decide(Ask.of(charge(limit, 2)), 7_000 + later);
        Ask ask = Ask.of(charge(limit, cost));
        Wait retry = engine.decide(ask.peek(), 7_000 + later).charges().get(0).retry();
        long wait = 0;
        while (!engine.decide(ask.peek(), 7_000 + later + wait).allowed()) {
            wait++;
        }
        assertThat(retry).isEqualTo(wait == 0 ? null : new Wait(Kind.NOT_BEFORE, wait));
    }

    @Test
    void slidingLog_dropsEachEntryAtItsTime() {
        Limit limit = Limit.slidingLog(5, Duration.ofSeconds(10));
        decide(limit, 2, START);
        decide(limit, 2, START + 4 * SECOND);
        assertThat(one(limit, 3, START + 5 * SECOND)).isEqualTo(exceeded(1, 9 * SECOND, Kind.NOT_BEFORE, 5 * SECOND));
        assertThat(one(limit, 4, START + 5 * SECOND)).isEqualTo(exceeded(1, 9 * SECOND, Kind.NOT_BEFORE, 9 * SECOND));
        assertThat(one(limit, 3, START + 10 * SECOND - 1).exceeded()).isTrue();
        assertThat(one(limit, 3, START + 10 * SECOND)).isEqualTo(fitted(0, 10 * SECOND));
    }

    @Test
    void slidingLog_clockBack_movesEntriesToNow() {
        Limit limit = Limit.slidingLog(5, Duration.ofSeconds(10));
        decide(limit, 5, START);
        assertThat(one(limit, 1, START - 100 * SECOND))
                .isEqualTo(exceeded(0, 10 * SECOND, Kind.NOT_BEFORE, 10 * SECOND));
        assertThat(one(limit, 1, START - 90 * SECOND)).isEqualTo(fitted(4, 10 * SECOND));
    }

    @Test
    void concurrency_holdsUntilReleasedOrExpired() {
        Limit limit = Limit.concurrency(2, Duration.ofSeconds(5));
        Expected first = decide(limit, 1, START);
        assertThat(first.charges()).containsExactly(fitted(1, 5 * SECOND));
        assertThat(first.permit()).isEqualTo(new Expected.Permit(0, START + 5 * SECOND));
        decide(limit, 1, START + SECOND);
        assertThat(one(limit, 1, START + 2 * SECOND)).isEqualTo(exceeded(0, 4 * SECOND, Kind.ESTIMATE, 3 * SECOND));
        assertThat(reference.settle(0, null, START + 2 * SECOND)).isEqualTo(Settlement.settled(Costs.NONE));
        assertThat(one(limit, 0, START + 2 * SECOND).remaining()).isEqualTo(1);
    }

    @Test
    void renew_prolongsFromNow() {
        Limit limit = Limit.concurrency(2, Duration.ofSeconds(5));
        decide(limit, 1, START);
        assertThat(reference.renew(0, START + 4 * SECOND))
                .isEqualTo(Settlement.renewed(Instant.EPOCH.plusSeconds(1_009)));
        assertThat(reference.renew(0, START + 9 * SECOND)).isEqualTo(Settlement.expired());
        assertThat(reference.renew(0, START)).isEqualTo(Settlement.expired());
    }

    @Test
    void settle_tooLateAfterClockBack_repairsOtherHolds() {
        Limit limit = Limit.concurrency(3, Duration.ofSeconds(5));
        decide(limit, 1, START);
        decide(limit, 1, START + SECOND);
        decide(limit, 1, START + 100 * SECOND);
        assertThat(reference.settle(0, null, START + 50 * SECOND)).isEqualTo(Settlement.expired());
        assertThat(one(limit, 0, START + 54 * SECOND).remaining()).isEqualTo(2);
        assertThat(reference.renew(1, START + 20 * SECOND)).isEqualTo(Settlement.expired());
        assertThat(one(limit, 0, START + 25 * SECOND).remaining()).isEqualTo(3);
    }

    @Test
    void decide_severalOnOneAccount_evaluatesEnforcedFirst() {
        Limit limit = Limit.fixedWindow(5, Duration.ofSeconds(1_000));
        Expected expected = reference.decide(Ask.of(shadow(limit, 2), charge(limit, 3), shadow(limit, 1)), START);
        assertThat(expected.allowed()).isTrue();
        assertThat(expected.charges())
                .containsExactly(fitted(0, 1_000 * SECOND), fitted(2, 1_000 * SECOND), exceeded(5, 0, Kind.NEVER, 0));
    }

    @Test
    void settle_severalLimitsOfOneUnit_chargesEachAndReportsItOnce() {
        Limit daily = Limit.fixedWindow(50, Duration.ofDays(1));
        Limit bucket = Limit.tokenBucket(1, Duration.ofSeconds(1), 50);
        Expected expected = reference.decide(
                Ask.of(charge(daily, 5), charge(bucket, 7)).hold(Hold.of(Duration.ofSeconds(9))), START);
        int permit = Objects.requireNonNull(expected.permit()).handle();
        assertThat(reference.settle(permit, null, START)).isEqualTo(Settlement.settled(Costs.of("requests", 7)));
        assertThat(one(daily, 0, START).remaining()).isEqualTo(45);
        assertThat(one(bucket, 0, START).remaining()).isEqualTo(43);
    }

    private static long micros(String moment) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(moment));
    }
}
