package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Retry;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.algorithm.Lockout;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.NewKeyListener;
import dev.penstock.spi.PermitHandle;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class NewKeyBudgetTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Limit MONTHLY = Limit.calendarWindow(100, CalendarPeriod.MONTH, ZoneOffset.UTC);

    private final ManualClock clock = new ManualClock();
    private final Engine store = MemoryEngine.builder().clock(clock).build();
    private final List<String> events = new ArrayList<>();
    private final NewKeyBudget budget = budget(2);

    private NewKeyBudget budget(long perSecond) {
        return NewKeyBudget.builder(store)
                .clock(clock)
                .perSecond(perSecond)
                .listener(new NewKeyListener() {
                    @Override
                    public void onNewKey(String policy) {
                        events.add("new " + policy);
                    }

                    @Override
                    public void onDenied(String policy) {
                        events.add("denied " + policy);
                    }

                    @Override
                    public void onSkipped(String policy) {
                        events.add("skipped " + policy);
                    }
                })
                .build();
    }

    private static Charge charge(String policy, Limit limit, String user, long cost) {
        return Charge.of(LimitSettings.of(policy, limit), Key.of(policy, user), cost);
    }

    private static Charge monthly(String user) {
        return charge("monthly", MONTHLY, user, 1);
    }

    private static Charge shadow(String user) {
        Charge charge = monthly(user);
        return charge.on(charge.settings().enforcement(Enforcement.SHADOW));
    }

    private Decision decide(Charge... charges) {
        return decide(Ask.of(charges));
    }

    private Decision decide(Ask ask) {
        Decision ready = budget.decide(ask).ifReady();
        assertThat(ready).isNotNull();
        return ready;
    }

    private static @Nullable PermitHandle grantOf(Decision decision) {
        return ((Allowed) decision).permitHandle();
    }

    @Test
    void decide_newKeyAboveTheBudget_isDeniedUntilTheNextSecond() {
        long intoTheSecond = clock.micros() % 1_000_000;
        clock.advance(Duration.of(1_250_000 - intoTheSecond, ChronoUnit.MICROS));
        decide(monthly("ann"));
        decide(monthly("bob"));

        Decision third = decide(monthly("cid"));

        assertThat(third).isInstanceOfSatisfying(Denied.class, denied -> {
            assertThat(denied.reason()).isEqualTo(Denied.Reason.TOO_MANY_NEW_KEYS);
            assertThat(denied.decidedBy()).isEqualTo(DecidedBy.NEW_KEY_BUDGET);
            assertThat(denied.newKey()).isEqualTo(monthly("cid"));
            assertThat(denied.retry()).isInstanceOf(Retry.Estimate.class);
            assertThat(denied.retry().waitFor()).isEqualTo(Duration.ofMillis(750));
            assertThat(denied.limits()).isEmpty();
        });
        assertThat(events).containsExactly("new monthly", "new monthly", "denied monthly");
        clock.advance(Duration.ofMillis(750));
        assertThat(decide(monthly("cid")).isAllowed()).isTrue();
    }

    @Test
    void decide_existingKeyAboveTheBudget_isDecided() {
        decide(monthly("ann"));
        clock.advance(Duration.ofSeconds(1));
        decide(monthly("bob"));
        decide(monthly("cid"));
        assertThat(decide(monthly("dan")).isAllowed()).isFalse();

        Decision again = decide(monthly("ann"));

        assertThat(again.isAllowed()).isTrue();
        assertThat(again.decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(again.limits()).extracting(LimitStatus::remaining).containsExactly(98L);
    }

    @Test
    void decide_keyCreatedByAnotherNode_isDecided() {
        NewKeyBudget other = budget(2);
        other.decide(Ask.of(monthly("zoe")));
        decide(monthly("ann"));
        decide(monthly("bob"));

        assertThat(decide(monthly("zoe")).isAllowed()).isTrue();
    }

    @Test
    void decide_denied_chargesNothing() {
        decide(monthly("ann"));
        decide(monthly("bob"));
        Limit bucket = Limit.tokenBucket(5, Duration.ofSeconds(1));

        assertThat(decide(charge("rate", bucket, "cid", 1), monthly("cid")).isAllowed())
                .isFalse();

        Decision look =
                store.decide(Ask.of(charge("rate", bucket, "cid", 1)).peek()).ifReady();
        assertThat(look).isNotNull();
        assertThat(look.limits()).extracting(LimitStatus::remaining).containsExactly(5L);
    }

    @Test
    void decide_otherPolicy_hasASeparateBudget() {
        decide(monthly("ann"));
        decide(monthly("bob"));

        assertThat(decide(charge("daily", Limit.fixedWindow(5, Duration.ofDays(1)), "cid", 1))
                        .isAllowed())
                .isTrue();
    }

    @Test
    void decide_deniedByTheLimit_isNotCounted() {
        decide(charge("monthly", MONTHLY, "ann", 101));
        decide(charge("monthly", MONTHLY, "bob", 101));

        assertThat(events).isEmpty();
    }

    @Test
    void decide_peek_isNeitherCountedNorDenied() {
        decide(Ask.of(monthly("ann")).peek());
        decide(monthly("ann"));
        decide(monthly("bob"));

        assertThat(decide(Ask.of(monthly("cid")).peek()).isAllowed()).isTrue();
        assertThat(events).containsExactly("new monthly", "new monthly");
    }

    static Stream<Arguments> charges() {
        return Stream.of(
                Arguments.of(Limit.fixedWindow(9, MINUTE), 1, false),
                Arguments.of(Limit.fixedWindow(9, HOUR), 1, true),
                Arguments.of(Limit.fixedWindow(9, HOUR), 0, false),
                Arguments.of(MONTHLY, 1, true),
                Arguments.of(Limit.slidingWindow(9, MINUTE), 1, false),
                Arguments.of(Limit.slidingWindow(9, HOUR), 1, true),
                Arguments.of(Limit.slidingLog(9, MINUTE), 1, false),
                Arguments.of(Limit.slidingLog(9, HOUR), 1, true),
                Arguments.of(Limit.tokenBucket(60, HOUR), 1, false),
                Arguments.of(Limit.tokenBucket(60, HOUR), 2, true),
                Arguments.of(Limit.tokenBucket(1_000_000_000, Duration.ofSeconds(1)), 1_000_000_000, false),
                Arguments.of(Limit.tokenBucket(7, HOUR), 1, true),
                Arguments.of(Limit.leakyBucket(60, HOUR, 60), 1, false),
                Arguments.of(Limit.leakyBucket(59, HOUR, 59), 1, true),
                Arguments.of(Limit.of(new Lockout(3, MINUTE, MINUTE, "")), 1, false),
                Arguments.of(Limit.of(new Lockout(3, MINUTE, HOUR, "")), 1, true),
                Arguments.of(Limit.of(new Lockout(3, MINUTE, HOUR, "")), 0, false));
    }

    @ParameterizedTest
    @MethodSource("charges")
    void decide_firstChargeOfAKey_isCountedIfTheKeyIsLongLived(Limit limit, long cost, boolean isCounted) {
        decide(charge("each", limit, "ann", cost));
        assertThat(events).hasSize(isCounted ? 1 : 0);

        decide(charge("each", limit, "ann", cost));
        assertThat(events).as("a second charge").hasSize(isCounted ? 1 : 0);
    }

    @Test
    void decide_slots_countTheAccountAndEveryPermit() {
        Limit slots = Limit.concurrency(5, HOUR);
        decide(charge("slots", slots, "ann", 1));
        assertThat(events).containsExactly("new slots", "new slots");

        Decision next = decide(charge("slots", slots, "ann", 1));

        assertThat(next.isAllowed()).isFalse();
        assertThat(events).containsExactly("new slots", "new slots", "denied slots");
    }

    @Test
    void decide_shortPermit_isNotCounted() {
        Decision held = decide(
                Ask.of(charge("slots", Limit.concurrency(5, HOUR), "ann", 1)).hold(Hold.of(MINUTE)));

        assertThat(grantOf(held)).isNotNull();
        assertThat(events).as("only the account").containsExactly("new slots");
    }

    @Test
    void decide_longPermitsOnAShortLimit_areBounded() {
        Ask hold = Ask.of(charge("rate", Limit.tokenBucket(100, Duration.ofSeconds(1)), "ann", 1))
                .hold(Hold.of(HOUR));
        assertThat(decide(hold).isAllowed()).isTrue();
        assertThat(decide(hold).isAllowed()).isTrue();

        assertThat(decide(hold))
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.reason()).isEqualTo(Denied.Reason.TOO_MANY_NEW_KEYS));
        assertThat(decide(hold.charge(0)).isAllowed()).as("without a permit").isTrue();
    }

    @Test
    void decide_chargesOnOneAccount_areOneKey() {
        assertThat(decide(monthly("ann"), monthly("ann")).isAllowed()).isTrue();

        assertThat(events).containsExactly("new monthly");
    }

    @Test
    void decide_newKeyOfAShadowAboveTheBudget_isSkippedAndNothingIsDenied() {
        decide(monthly("ann"));
        decide(monthly("bob"));
        Charge enforced = charge("daily", Limit.fixedWindow(5, Duration.ofDays(1)), "cid", 1);

        Decision decision = decide(shadow("cid"), enforced);

        assertThat(decision.isAllowed()).isTrue();
        assertThat(decision.charges()).containsExactly(shadow("cid"), enforced);
        assertThat(decision.limits()).extracting(LimitStatus::policy).containsExactly("daily");
        assertThat(decide(shadow("dan")).isAllowed()).isTrue();
        assertThat(events)
                .containsExactly("new monthly", "new monthly", "skipped monthly", "new daily", "skipped monthly");
        Decision look = store.decide(Ask.of(monthly("cid")).peek()).ifReady();
        assertThat(look).isNotNull();
        assertThat(look.limits()).extracting(LimitStatus::remaining).containsExactly(100L);
    }

    @Test
    void decide_existingKeyOfAShadowAboveTheBudget_isCounted() {
        decide(shadow("ann"));
        decide(monthly("bob"));

        assertThat(decide(shadow("ann")).limits())
                .extracting(LimitStatus::remaining)
                .containsExactly(98L);
    }

    @Test
    void decide_permitOfShadowsOnly_isNeverDenied() {
        Charge slots = charge("slots", Limit.concurrency(5, HOUR), "ann", 1);
        Charge watched = slots.on(slots.settings().enforcement(Enforcement.SHADOW));
        for (int i = 0; i < 4; i++) {
            assertThat(decide(watched).isAllowed()).isTrue();
        }
    }

    @Test
    void decide_repeatedRequestAboveTheBudget_isAnsweredAsBefore() {
        Ask ann = Ask.of(monthly("ann")).id("request-1");
        decide(ann);
        decide(monthly("bob"));

        Decision again = decide(ann);

        assertThat(again.isAllowed()).isTrue();
        assertThat(again.limits()).extracting(LimitStatus::remaining).containsExactly(99L);
    }

    @Test
    void decide_repeatedPermitAboveTheBudget_isGrantedAsBefore() {
        Ask ann = Ask.of(monthly("ann")).hold(Hold.of(HOUR)).id("request-1");
        PermitHandle first = grantOf(decide(ann));

        assertThat(grantOf(decide(ann))).isNotNull().isEqualTo(first);
        assertThat(decide(Ask.of(monthly("ann")).hold(Hold.of(HOUR)).id("request-2"))
                        .isAllowed())
                .isFalse();
    }

    @Test
    void decide_heldShadowOnANewKeyAboveTheBudget_isAllowed() {
        decide(monthly("ann"));
        decide(monthly("bob"));

        assertThat(decide(Ask.of(shadow("cid")).hold(Hold.of(HOUR))).isAllowed())
                .isTrue();
    }

    @Test
    void perSecond_outOfRange_isRejected() {
        assertThatThrownBy(() -> NewKeyBudget.builder(store).perSecond(0)).hasMessage("perSecond: 0 (expected: > 0)");
    }
}
