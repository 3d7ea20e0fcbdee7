package dev.penstock.testkit;

import static dev.penstock.testkit.EngineUnderTest.await;
import static dev.penstock.testkit.EngineUnderTest.charge;
import static dev.penstock.testkit.EngineUnderTest.shadow;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Costs;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Retry;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.PermitHandle;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The contract for permits that are held, settled, released, renewed or left to expire. */
interface PermitContract extends EngineUnderTest {
    Limit TOKENS = Limit.tokenBucket(10, Duration.ofSeconds(10)).unit("tokens");
    Limit SLOTS = Limit.concurrency(2, Duration.ofMinutes(1));
    Hold FOR_A_MINUTE = Hold.of(Duration.ofMinutes(1));
    Hold GIVEN_BACK = FOR_A_MINUTE.onExpiry(Hold.Expiry.GIVE_BACK);

    private PermitHandle reserve(long cost) {
        return granted(Ask.of(charge(TOKENS, "ann", cost)).hold(FOR_A_MINUTE));
    }

    private static Costs tokens(long amount) {
        return Costs.of("tokens", amount);
    }

    @Test
    default void grant_beginsWithTheEnginesName() {
        assertThat(reserve(1).id()).startsWith(engine().name());
    }

    @Test
    default void grant_hasTheFormOfIdsIssuedHere() {
        assertThat(engine().mayHaveIssued(reserve(1).id())).isTrue();
        assertThat(engine().mayHaveIssued(granted(Ask.of(charge(SLOTS, "ann", 1), charge(TOKENS, "ann", 1)))
                        .id()))
                .isTrue();
        assertThat(engine().mayHaveIssued("abc")).isFalse();
    }

    @Test
    default void grant_isNewEachTime() {
        assertThat(reserve(1).id()).isNotEqualTo(reserve(1).id());
    }

    @Test
    default void grant_withoutHoldOrSlots_isNotIssued() {
        assertThat(allowed(charge(TOKENS, "ann", 1)).permitHandle()).isNull();
    }

    @Test
    default void grant_expiresWithTheShortestOfItsTtls() {
        PermitHandle grant = granted(
                Ask.of(charge(SLOTS, "ann", 1), charge(TOKENS, "ann", 1)).hold(Hold.of(Duration.ofHours(1))));
        assertThat(grant.expiresAt()).isEqualTo(clock().now().plusSeconds(60));
    }

    @Test
    default void hold_countsAgainstOthersAndIsNotSpent() {
        reserve(4);
        assertThat(status(TOKENS, "ann").remaining()).isEqualTo(6);
        assertThat(status(TOKENS, "ann").resetAfter()).isEqualTo(Duration.ofSeconds(60 + 4));
        denied(charge(TOKENS, "ann", 7));
        pass(Duration.ofSeconds(30));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(6);
    }

    @Test
    default void hold_denied_retryIsAnEstimate() {
        reserve(10);
        assertThat(denied(charge(TOKENS, "ann", 1)).retry()).isInstanceOf(Retry.Estimate.class);
    }

    @Test
    default void settle_less_givesTheRestBack() {
        PermitHandle grant = reserve(8);
        assertThat(settle(grant, tokens(3))).isEqualTo(Settlement.settled(tokens(3)));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(7);
    }

    @Test
    default void settle_zero_givesAllBack() {
        assertThat(settle(reserve(8), tokens(0))).isEqualTo(Settlement.settled(tokens(0)));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(10);
    }

    @Test
    default void settle_null_chargesAsReserved() {
        assertThat(settle(reserve(8), null)).isEqualTo(Settlement.settled(tokens(8)));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(2);
    }

    @Test
    default void settle_otherUnit_chargesAsReserved() {
        assertThat(settle(reserve(8), Costs.of("bytes", 1))).isEqualTo(Settlement.settled(tokens(8)));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(2);
    }

    @Test
    default void settle_afterARefill_createsNoSecondBurst() {
        PermitHandle grant = reserve(10);
        pass(Duration.ofSeconds(50));
        settle(grant, tokens(0));
        assertThat(drain(TOKENS, "ann")).isEqualTo(10);
    }

    @Test
    default void settle_more_becomesDebt() {
        settle(reserve(1), tokens(15));
        assertThat(remaining(TOKENS, "ann")).isZero();
        assertThat(notBefore(denied(charge(TOKENS, "ann", 1))).after()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    default void settle_farMore_becomesDebtUpToTheMaximum() {
        PermitHandle grant = reserve(1);
        Settlement settled = settle(grant, tokens(1_000_000));
        assertThat(settled.settled()).isEqualTo(tokens(1_000_000));
        assertThat(settled.charged()).isEqualTo(tokens(20));
        assertThat(settle(grant, tokens(0))).isEqualTo(settled);
        assertThat(notBefore(denied(charge(TOKENS, "ann", 1))).after()).isEqualTo(Duration.ofSeconds(11));
    }

    @Test
    default void settle_moreThanOneOfTwoLimitsCharges_reportsTheShorterCharge() {
        Limit large = Limit.tokenBucket(1_000, Duration.ofSeconds(10)).unit("tokens");
        PermitHandle grant = granted(
                Ask.of(charge(large, "all", 1), charge(TOKENS, "ann", 1)).hold(FOR_A_MINUTE));
        Settlement settled = settle(grant, tokens(50));
        assertThat(settled.settled()).isEqualTo(tokens(50));
        assertThat(settled.charged()).isEqualTo(tokens(20));
    }

    @Test
    default void settle_moreWithoutDebt_isForgiven() {
        Limit noDebt = TOKENS.maxDebt(0);
        PermitHandle grant = granted(Ask.of(charge(noDebt, "ann", 1)).hold(FOR_A_MINUTE));
        settle(grant, tokens(1_000_000));
        assertThat(notBefore(denied(charge(noDebt, "ann", 1))).after()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    default void settle_twice_answersTheSameAndChargesOnce() {
        PermitHandle grant = reserve(8);
        Settlement first = settle(grant, tokens(3));
        assertThat(settle(grant, tokens(7))).isEqualTo(first);
        assertThat(renew(grant)).isEqualTo(first);
        assertThat(remaining(TOKENS, "ann")).isEqualTo(7);
    }

    @Test
    default void settle_unknownPermit_doesNothing() {
        assertThat(await(engine().settle(engine().name() + "-never-given", null)))
                .isEqualTo(Settlement.unknown());
        assertThat(await(engine().renew(engine().name() + "-never-given"))).isEqualTo(Settlement.unknown());
    }

    @Test
    default void settle_severalUnits_chargesEachAtItsOwnCost() {
        Limit requests = Limit.fixedWindow(5, Duration.ofDays(1));
        PermitHandle grant =
                granted(Ask.of(charge(requests, "ann", 1), charge(TOKENS, "ann", 9), charge(SLOTS, "ann", 1))
                        .hold(FOR_A_MINUTE));
        assertThat(settle(grant, tokens(2)))
                .isEqualTo(Settlement.settled(Costs.of("requests", 1).and("tokens", 2)));
        assertThat(remaining(requests, "ann")).isEqualTo(4);
        assertThat(remaining(TOKENS, "ann")).isEqualTo(8);
        assertThat(remaining(SLOTS, "ann")).isEqualTo(2);
    }

    @Test
    default void settle_shadowThatWasNotMade_chargesNothingThere() {
        Limit small = Limit.fixedWindow(5, Duration.ofDays(1)).unit("tokens");
        PermitHandle grant = granted(
                Ask.of(shadow(small, "ann", 6), charge(TOKENS, "ann", 6)).hold(FOR_A_MINUTE));
        settle(grant, tokens(2));
        assertThat(remaining(small, "ann")).isEqualTo(5);
        assertThat(remaining(TOKENS, "ann")).isEqualTo(8);
    }

    @Test
    default void settle_leakyBucketLast_givesItsPlaceBack() {
        Limit shaped = Limit.leakyBucket(1, Duration.ofSeconds(1), 5);
        PermitHandle grant = granted(Ask.of(charge(shaped, "ann", 3)).hold(FOR_A_MINUTE));
        settle(grant, Costs.of("requests", 1));
        assertThat(allowed(charge(shaped, "ann", 1)).delay()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    default void settle_leakyBucketWithOthersBehind_keepsThePlace() {
        Limit shaped = Limit.leakyBucket(1, Duration.ofSeconds(1), 5);
        PermitHandle grant = granted(Ask.of(charge(shaped, "ann", 3)).hold(FOR_A_MINUTE));
        allowed(charge(shaped, "ann", 1));
        settle(grant, Costs.of("requests", 1));
        assertThat(remaining(shaped, "ann")).isEqualTo(1);
    }

    @Test
    default void expiry_keepCharged_chargesAsOfTheExpiry() {
        reserve(10);
        pass(Duration.ofSeconds(60));
        assertThat(remaining(TOKENS, "ann")).isZero();
        pass(Duration.ofSeconds(4));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(4);
    }

    @Test
    default void expiry_longAgo_isNotChargedLate() {
        reserve(10);
        pass(Duration.ofSeconds(67));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(7);
    }

    @Test
    default void expiry_giveBack_chargesNothing() {
        granted(Ask.of(charge(TOKENS, "ann", 10)).hold(GIVEN_BACK));
        pass(Duration.ofSeconds(60).minusNanos(1_000));
        assertThat(remaining(TOKENS, "ann")).isZero();
        pass(Duration.ofNanos(1_000));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(10);
    }

    @Test
    default void expiry_thenSettled_isTooLate() {
        PermitHandle grant = granted(Ask.of(charge(TOKENS, "ann", 10)).hold(GIVEN_BACK));
        pass(Duration.ofSeconds(60));
        assertThat(settle(grant, tokens(5))).isEqualTo(Settlement.expired());
        assertThat(settle(grant, tokens(5))).isEqualTo(Settlement.expired());
        assertThat(renew(grant)).isEqualTo(Settlement.expired());
        assertThat(remaining(TOKENS, "ann")).isEqualTo(10);
    }

    @Test
    default void costOfZero_holdsNothingAndIsSettledUntilItsExpiry() {
        PermitHandle settled = reserve(0);
        PermitHandle renewed = reserve(0);
        PermitHandle late = reserve(0);
        reset(charge(TOKENS, "ann", 1)); // a charge of cost 0 is not part of the account
        pass(Duration.ofSeconds(30));
        assertThat(settle(settled, tokens(3))).isEqualTo(Settlement.settled(tokens(3)));
        assertThat(settle(settled, tokens(3))).isEqualTo(Settlement.settled(tokens(3)));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(7);
        assertThat(renew(renewed)).isEqualTo(Settlement.renewed(clock().now().plusSeconds(60)));
        pass(Duration.ofSeconds(30));
        assertThat(settle(late, tokens(3))).isEqualTo(Settlement.expired());
        assertThat(settle(renewed, null)).isEqualTo(Settlement.settled(tokens(0)));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(10);
    }

    @Test
    default void renew_restartsTheFullTtl() {
        PermitHandle grant = granted(Ask.of(charge(TOKENS, "ann", 10)).hold(GIVEN_BACK));
        pass(Duration.ofSeconds(40));
        assertThat(renew(grant)).isEqualTo(Settlement.renewed(clock().now().plusSeconds(60)));
        pass(Duration.ofSeconds(40));
        assertThat(remaining(TOKENS, "ann")).isZero();
        assertThat(settle(grant, tokens(1))).isEqualTo(Settlement.settled(tokens(1)));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(9);
    }

    @Test
    default void slots_areFreedByTheirRelease() {
        Charge slot = charge(SLOTS, "ann", 1);
        PermitHandle first = granted(Ask.of(slot));
        granted(Ask.of(slot));
        assertThat(denied(slot).retry()).isInstanceOf(Retry.Estimate.class);
        assertThat(settle(first, null)).isEqualTo(Settlement.settled(Costs.NONE));
        granted(Ask.of(slot));
    }

    @Test
    default void slots_areFreedAtExpiry() {
        Charge slot = charge(SLOTS, "ann", 2);
        PermitHandle grant = granted(Ask.of(slot));
        pass(Duration.ofSeconds(60).minusNanos(1_000));
        denied(slot);
        pass(Duration.ofNanos(1_000));
        granted(Ask.of(slot));
        assertThat(settle(grant, null)).isEqualTo(Settlement.expired());
        assertThat(remaining(SLOTS, "ann")).isZero();
    }

    @Test
    default void slots_releasedTwice_freeOnlyTheirOwn() {
        PermitHandle first = granted(Ask.of(charge(SLOTS, "ann", 1)));
        granted(Ask.of(charge(SLOTS, "ann", 1)));
        settle(first, null);
        settle(first, null);
        assertThat(remaining(SLOTS, "ann")).isEqualTo(1);
    }

    @Test
    default void reset_forgetsHolds() {
        PermitHandle grant = reserve(10);
        reset(charge(TOKENS, "ann", 1));
        assertThat(remaining(TOKENS, "ann")).isEqualTo(10);
        assertThat(settle(grant, tokens(9))).isEqualTo(Settlement.expired());
        assertThat(remaining(TOKENS, "ann")).isEqualTo(10);
    }
}
