package dev.penstock.testkit;

import static dev.penstock.testkit.EngineUnderTest.await;
import static dev.penstock.testkit.EngineUnderTest.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.Retry;
import dev.penstock.spi.Ask;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.PermitHandle;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The contract for ids of requests. */
interface IdContract extends EngineUnderTest {
    /** Shorter than the time for which any engine remembers ids. */
    Duration BRIEFLY = Duration.ofSeconds(5);

    Limit BRIEF_SLOTS = Limit.concurrency(2, BRIEFLY);

    @Test
    default void id_askedAgain_isAnsweredTheSameAndChargedOnce() {
        Ask ask = Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 2)).id("request-1");
        Decision first = decide(ask);
        pass(Duration.ofSeconds(1));
        Decision again = decide(ask);
        assertThat(again.isAllowed()).isTrue();
        assertThat(again.madeAt()).isEqualTo(first.madeAt());
        assertThat(again.limits()).isEqualTo(first.limits());
        assertThat(remaining(DecideContract.THREE_A_DAY, "ann")).isEqualTo(1);
    }

    @Test
    default void id_ofAHeldAsk_namesTheSamePermit() {
        Ask ask = Ask.of(charge(DecideContract.TWO_SLOTS, "ann", 1)).id("request-1");
        assertThat(granted(ask)).isEqualTo(granted(ask));
        assertThat(remaining(DecideContract.TWO_SLOTS, "ann")).isEqualTo(1);
    }

    @Test
    default void id_askedAgainWithAShorterDelay_isAnsweredTheSameAndChargedOnce() {
        Limit shaped = Limit.leakyBucket(1, Duration.ofMinutes(1), 9);
        allowed(charge(shaped, "ann", 1));
        Ask ask = Ask.of(charge(shaped, "ann", 1)).id("request-1");
        Allowed first = allowed(ask.maxDelay(Duration.ofMinutes(2)));
        Allowed again = allowed(ask.maxDelay(Duration.ofSeconds(1)));
        assertThat(again.delay()).isEqualTo(first.delay()).isEqualTo(Duration.ofMinutes(1));
        assertThat(remaining(shaped, "ann")).isEqualTo(7);
    }

    @Test
    default void id_ofAnAllowedAsk_isAnsweredTheSameWhenTheKeyIsDeniedMeanwhile() {
        Ask ask = Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 2)).id("request-1");
        allowed(ask);
        allowed(charge(DecideContract.THREE_A_DAY, "ann", 1));
        denied(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 2)));
        denied(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 2)).id("request-2"));
        assertThat(await(engine().mayRemember(ask))).isTrue();
        allowed(ask);
    }

    @Test
    default void id_ofADeniedAsk_isDecidedAnewWhenItFits() {
        Ask ask = Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 2)).id("request-1");
        allowed(charge(DecideContract.THREE_A_DAY, "ann", 3));
        denied(ask);
        denied(ask);
        reset(charge(DecideContract.THREE_A_DAY, "ann", 1));
        allowed(ask);
        allowed(ask);
        assertThat(remaining(DecideContract.THREE_A_DAY, "ann")).isEqualTo(1);
    }

    @Test
    default void id_otherId_isChargedAgain() {
        allowed(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 1)).id("request-1"));
        allowed(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 1)).id("request-2"));
        assertThat(remaining(DecideContract.THREE_A_DAY, "ann")).isEqualTo(1);
    }

    @Test
    default void id_withoutFingerprint_otherCharges_areDecidedAnew() {
        allowed(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 1)).id("request-1"));
        allowed(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 2)).id("request-1"));
        assertThat(remaining(DecideContract.THREE_A_DAY, "ann")).isZero();
    }

    @Test
    default void fingerprint_ofAnotherRequest_isDeniedAndChargesNothing() {
        IdempotencyKey mine = new IdempotencyKey("request-1", "mine");
        IdempotencyKey other = new IdempotencyKey("request-1", "other");
        allowed(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 1)).id(mine));

        for (String user : List.of("ann", "bob")) { // on the same account, and on another one
            Denied denied =
                    denied(Ask.of(charge(DecideContract.THREE_A_DAY, user, 1)).id(other));
            assertThat(denied.reason()).isEqualTo(Denied.Reason.ID_TAKEN);
            assertThat(denied.retry()).isInstanceOf(Retry.Never.class);
            assertThat(denied.limits()).isEmpty();
        }
        assertThat(remaining(DecideContract.THREE_A_DAY, "ann")).isEqualTo(2);
        assertThat(remaining(DecideContract.THREE_A_DAY, "bob")).isEqualTo(3);
    }

    @Test
    default void fingerprint_denied_isDecidedAnewAndLeavesTheIdFree() {
        Ask dear = Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 3)).id(new IdempotencyKey("request-1", "mine"));
        Ask other = Ask.of(charge(DecideContract.THREE_A_DAY, "bob", 1)).id(new IdempotencyKey("request-1", "other"));
        allowed(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 1)));
        assertThat(denied(dear).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        assertThat(denied(dear).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        allowed(other);
        allowed(other);
        assertThat(denied(dear).reason()).isEqualTo(Denied.Reason.ID_TAKEN);
        assertThat(remaining(DecideContract.THREE_A_DAY, "bob")).isEqualTo(2);
    }

    @Test
    default void fingerprint_denied_thenAllowed_isChargedOnce() {
        Ask dear = Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 3)).id(new IdempotencyKey("request-1", "mine"));
        allowed(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 1)));
        denied(dear);
        reset(charge(DecideContract.THREE_A_DAY, "ann", 1));
        allowed(dear);
        allowed(dear);
        assertThat(remaining(DecideContract.THREE_A_DAY, "ann")).isZero();
    }

    @Test
    default void fingerprint_otherChargesByNow_isAnsweredTheSameWithoutThem() {
        IdempotencyKey id = new IdempotencyKey("request-1", "mine");
        Decision first =
                decide(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 1)).id(id));
        pass(Duration.ofSeconds(1));
        Allowed again =
                allowed(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 2)).id(id));
        assertThat(again.madeAt()).isEqualTo(first.madeAt());
        assertThat(again.limits()).isEmpty();
        assertThat(remaining(DecideContract.THREE_A_DAY, "ann")).isEqualTo(2);
    }

    @Test
    default void fingerprint_otherChargesByNow_keepsTheDelayToTheMicrosecond() {
        Limit centuries = Limit.leakyBucket(2, Duration.ofDays(36_600), 64);
        IdempotencyKey id = new IdempotencyKey("request-1", "mine");
        pass(Duration.ofNanos(457_000));
        allowed(charge(centuries, "ann", 23));
        Allowed first = allowed(Ask.of(charge(centuries, "ann", 1)).id(id));
        Allowed again =
                allowed(Ask.of(charge(DecideContract.THREE_A_DAY, "ann", 1)).id(id));
        assertThat(again.delay()).isEqualTo(first.delay()).isGreaterThan(Duration.ofDays(365 * 300));
    }

    @Test
    default void fingerprint_ofAPermit_namesItWhileItLives() {
        Ask ask = Ask.of(charge(DecideContract.TWO_SLOTS, "ann", 1)).id(new IdempotencyKey("request-1", "mine"));
        PermitHandle first = granted(ask);
        assertThat(granted(ask)).isEqualTo(first);
        renew(first);
        assertThat(granted(ask).id()).isEqualTo(first.id());
        settle(first, null);
        assertThat(granted(ask).id()).isNotEqualTo(first.id());
    }

    @Test
    default void fingerprint_permitEnded_anotherRequestIsStillDenied() {
        Ask mine = Ask.of(charge(BRIEF_SLOTS, "ann", 1)).id(new IdempotencyKey("request-1", "mine"));
        Ask other = Ask.of(charge(BRIEF_SLOTS, "bob", 1)).id(new IdempotencyKey("request-1", "other"));

        settle(granted(mine), null);
        assertThat(denied(other).reason()).isEqualTo(Denied.Reason.ID_TAKEN);
        granted(mine);
        pass(BRIEFLY);
        assertThat(denied(other).reason()).isEqualTo(Denied.Reason.ID_TAKEN);
        granted(mine);
        assertThat(denied(other).reason()).isEqualTo(Denied.Reason.ID_TAKEN);
        assertThat(remaining(BRIEF_SLOTS, "ann")).isEqualTo(1);
        assertThat(remaining(BRIEF_SLOTS, "bob")).isEqualTo(2);
    }

    @Test
    default void fingerprint_permitEndedThenDenied_keepsTheIdAndAnswersNothing() {
        Ask mine = Ask.of(charge(BRIEF_SLOTS, "ann", 2)).id(new IdempotencyKey("request-1", "mine"));
        settle(granted(mine), null);
        PermitHandle others = granted(Ask.of(charge(BRIEF_SLOTS, "ann", 1)));

        assertThat(denied(mine).reason()).isEqualTo(Denied.Reason.LIMIT_EXCEEDED);
        assertThat(denied(mine.id(new IdempotencyKey("request-1", "other"))).reason())
                .isEqualTo(Denied.Reason.ID_TAKEN);
        settle(others, null);
        assertThat(granted(mine)).isEqualTo(granted(mine));
    }

    @Test
    default void fingerprint_permitEnded_askWithoutOneIsDecidedAnewEachTime() {
        Ask slot = Ask.of(charge(BRIEF_SLOTS, "ann", 1));
        settle(granted(slot.id(new IdempotencyKey("request-1", "mine"))), null);

        assertThat(granted(slot.id("request-1"))).isNotEqualTo(granted(slot.id("request-1")));
        assertThat(remaining(BRIEF_SLOTS, "ann")).isZero();
    }

    @Test
    default void id_withoutFingerprint_permitEnded_isFree() {
        Ask first = Ask.of(charge(BRIEF_SLOTS, "ann", 1)).id("request-1");
        Ask second = Ask.of(charge(BRIEF_SLOTS, "ann", 2)).id("request-1");

        settle(granted(first), null);
        assertThat(granted(second)).isEqualTo(granted(second));
        pass(BRIEFLY);
        assertThat(granted(first)).isEqualTo(granted(first));
    }

    @Test
    default void id_permitExpiredThenDenied_isDecidedAnewAlsoWhenTheClockWentBack() {
        for (IdempotencyKey id : List.of(IdempotencyKey.of("request-1"), new IdempotencyKey("request-2", "mine"))) {
            Ask both = Ask.of(charge(BRIEF_SLOTS, id.text(), 2)).id(id);
            PermitHandle first = granted(both);
            pass(BRIEFLY);
            PermitHandle others = granted(Ask.of(charge(BRIEF_SLOTS, id.text(), 1)));
            denied(both);
            pass(BRIEFLY.negated());
            settle(others, null);
            assertThat(granted(both).id()).isNotEqualTo(first.id());
        }
    }
}
