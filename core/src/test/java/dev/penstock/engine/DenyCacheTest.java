package dev.penstock.engine;

import static dev.penstock.engine.CachedStore.DAILY;
import static dev.penstock.engine.CachedStore.TEN_A_SECOND;
import static dev.penstock.engine.CachedStore.charge;
import static dev.penstock.engine.CachedStore.memory;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Policy.Consistency;
import dev.penstock.Retry;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DenyCacheTest {
    private static final Limit TWO_SLOTS = Limit.concurrency(2, Duration.ofMinutes(1));

    private final ManualClock clock = new ManualClock();
    private final CountingEngine store = new CountingEngine(memory(clock));
    private final DenyCache cache = cache(store, 1_000);

    private DenyCache cache(Engine around, int maxKeys) {
        return DenyCache.builder(around).clock(clock).maxKeys(maxKeys).build();
    }

    private Decision decide(Ask ask) {
        return Objects.requireNonNull(cache.decide(ask).ifReady());
    }

    private Decision decide(Charge... charges) {
        return decide(Ask.of(charges));
    }

    private void drain(Limit limit, String who) {
        assertThat(decide(charge(limit, who, limit.capacity())).isAllowed()).isTrue();
        assertThat(decide(charge(limit, who, 1)).decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void decide_repeatedOldAnswer_keepsLaterDenials() {
        Ask call = Ask.of(charge(DAILY, "ann", 1)).id("call");
        assertThat(decide(call).isAllowed()).isTrue();
        clock.advance(Duration.ofMillis(1));
        decide(charge(DAILY, "ann", DAILY.capacity() - 1));
        assertThat(decide(charge(DAILY, "ann", 1)).decidedBy()).isEqualTo(DecidedBy.STORE);

        assertThat(decide(call).isAllowed()).isTrue();

        assertThat(decide(charge(DAILY, "ann", 1)).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
    }

    static Stream<Limit> rates() {
        return Stream.of(
                TEN_A_SECOND,
                Limit.leakyBucket(10, Duration.ofSeconds(1), 5),
                Limit.fixedWindow(10, Duration.ofSeconds(1)),
                Limit.slidingWindow(10, Duration.ofSeconds(1)),
                Limit.slidingLog(10, Duration.ofSeconds(1)));
    }

    @ParameterizedTest
    @MethodSource("rates")
    void decide_attackOnOneKey_asksTheStoreAboutOncePerPermit(Limit limit) {
        Engine bare = memory(clock);
        long admitted = 0;
        for (int i = 0; i < 10_000; i++) {
            Ask ask = Ask.of(charge(limit, "ann", 1));
            boolean allowed = decide(ask).isAllowed();
            assertThat(allowed)
                    .isEqualTo(
                            Objects.requireNonNull(bare.decide(ask).ifReady()).isAllowed());
            admitted += allowed ? 1 : 0;
            clock.advance(Duration.ofMillis(1));
        }
        assertThat(store.trips()).isLessThanOrEqualTo((int) (admitted * 22 / 10));
        assertThat(cache.stats()).isEqualTo(new DenyCache.Stats(10_000 - store.trips(), store.trips()));
    }

    @Test
    void decide_denied_reportsWhatTheStoreWould() {
        drain(TEN_A_SECOND, "ann");
        clock.advance(Duration.ofMillis(30));
        Ask ask = Ask.of(charge(TEN_A_SECOND, "ann", 4));
        Denied denied = (Denied) decide(ask);
        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        assertThat(denied.madeAt()).isEqualTo(clock.now());
        assertThat(denied.retry()).isEqualTo(new Retry.NotBefore(clock.now().plusMillis(370), Duration.ofMillis(370)));
        assertThat(denied.limits())
                .isEqualTo(Objects.requireNonNull(store.decide(ask).ifReady()).limits());
    }

    @Test
    void decide_shortlyBeforeItFits_asksTheStore() {
        drain(TEN_A_SECOND, "ann");
        clock.advance(Duration.ofNanos(99_800_000));
        assertThat(decide(charge(TEN_A_SECOND, "ann", 1)).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        clock.advance(Duration.ofNanos(100_000));
        assertThat(decide(charge(TEN_A_SECOND, "ann", 1)).decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void decide_longWait_isCachedForFiveSeconds() {
        drain(DAILY, "ann");
        clock.advance(Duration.ofSeconds(5));
        assertThat(decide(charge(DAILY, "ann", 1)).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        clock.advance(Duration.ofNanos(1_000));
        assertThat(decide(charge(DAILY, "ann", 1)).decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void decide_smallerCostThatFits_asksTheStore() {
        decide(charge(TEN_A_SECOND, "ann", 7));
        decide(charge(TEN_A_SECOND, "ann", 4));
        assertThat(decide(charge(TEN_A_SECOND, "ann", 4)).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        assertThat(decide(charge(TEN_A_SECOND, "ann", 3)).isAllowed()).isTrue();
    }

    @Test
    void decide_severalCharges_reportsOnlyTheLimitsThatDeny() {
        drain(DAILY, "ann");
        drain(TEN_A_SECOND, "bob");
        Decision denied =
                decide(charge(TEN_A_SECOND, "ann", 1), charge(DAILY, "ann", 1), charge(TEN_A_SECOND, "bob", 1));
        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        assertThat(denied.charges()).hasSize(3);
        assertThat(denied.limits()).extracting(LimitStatus::limit).containsExactly(DAILY, TEN_A_SECOND);
        assertThat(Objects.requireNonNull(denied.binding()).limit()).isEqualTo(DAILY);
    }

    @Test
    void peek_cachedDenial_isAnswered() {
        drain(DAILY, "ann");
        int trips = store.trips();
        assertThat(decide(Ask.of(charge(DAILY, "ann", 1)).peek()).isAllowed()).isFalse();
        assertThat(store.trips()).isEqualTo(trips);
    }

    @Test
    void decide_otherKey_asksTheStore() {
        drain(DAILY, "ann");
        assertThat(decide(charge(DAILY, "bob", 1)).isAllowed()).isTrue();
    }

    @Test
    void decide_changedNumbers_asksTheStore() {
        drain(DAILY, "ann");
        assertThat(decide(charge(Limit.fixedWindow(4, Duration.ofDays(1)), "ann", 1))
                        .isAllowed())
                .isTrue();
        assertThat(decide(charge(DAILY, "ann", 1)).decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void decide_equalLimitCreatedAgain_isTheSame() {
        drain(DAILY, "ann");
        assertThat(decide(charge(Limit.fixedWindow(3, Duration.ofDays(1)), "ann", 1))
                        .decidedBy())
                .isEqualTo(DecidedBy.DENY_CACHE);
    }

    @Test
    void decide_underAnId_asksTheStore() {
        Ask ask = Ask.of(charge(DAILY, "ann", 3)).id("request-1");
        assertThat(decide(ask).isAllowed()).isTrue();
        decide(charge(DAILY, "ann", 1));
        assertThat(decide(charge(DAILY, "ann", 3)).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        assertThat(decide(ask).isAllowed()).isTrue();
    }

    @Test
    void decide_slotsHoldsZeroCostsShadowAndLeased_areNotCached() {
        decide(charge(TWO_SLOTS, "ann", 2));
        everyDenialIsTheStores(Ask.of(charge(TWO_SLOTS, "ann", 1)));

        decide(Ask.of(charge(DAILY, "bob", 3)).hold(Hold.of(Duration.ofMinutes(1))));
        everyDenialIsTheStores(Ask.of(charge(DAILY, "bob", 1)));

        LimitSettings leased = LimitSettings.of("policy", DAILY).consistency(Consistency.LEASED);
        decide(Ask.of(Charge.of(leased, Key.of("counter", "cid"), 3)));
        everyDenialIsTheStores(Ask.of(Charge.of(leased, Key.of("counter", "cid"), 1)));

        drain(DAILY, "dan");
        LimitSettings shadow = LimitSettings.of("policy", DAILY).enforcement(Enforcement.SHADOW);
        assertThat(decide(Charge.of(shadow, Key.of("counter", "dan"), 1)).isAllowed())
                .isTrue();
        assertThat(decide(charge(DAILY, "dan", 0)).isAllowed()).isTrue();
    }

    private void everyDenialIsTheStores(Ask ask) {
        for (int i = 0; i < 3; i++) {
            Decision decision = decide(ask);
            assertThat(decision.isAllowed()).isFalse();
            assertThat(decision.decidedBy()).isEqualTo(DecidedBy.STORE);
        }
    }

    @Test
    void decide_leakyBucketAboveTheLongestDelay_isExactForEachDelay() {
        Limit shaped = Limit.leakyBucket(10, Duration.ofSeconds(1), 5);
        Ask patient = Ask.of(charge(shaped, "ann", 1));
        decide(charge(shaped, "ann", 3));
        decide(patient.maxDelay(Duration.ofMillis(100)));
        Decision denied = decide(patient.maxDelay(Duration.ofMillis(200)));
        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        assertThat(((Denied) denied).retry().waitFor()).isEqualTo(Duration.ofMillis(100));
        assertThat(decide(patient.maxDelay(Duration.ofMillis(300))).isAllowed()).isTrue();
    }

    @Test
    void decide_fallbackDenies_isNotCached() {
        Engine failing = new CountingEngine(memory(clock)) {
            @Override
            public Reply<Decision> decide(Ask ask) {
                return Objects.requireNonNull(super.decide(ask).ifReady()).inFallbackFor(ask);
            }
        };
        DenyCache around = cache(failing, 1_000);
        around.decide(Ask.of(charge(DAILY, "ann", 3)));
        for (int i = 0; i < 3; i++) {
            assertThat(Objects.requireNonNull(around.decide(Ask.of(charge(DAILY, "ann", 1)))
                                    .ifReady())
                            .decidedBy())
                    .isEqualTo(DecidedBy.FALLBACK);
        }
    }

    @Test
    void decide_storeTimeFarFromOurs_usesTheStores() {
        for (Duration apart : new Duration[] {Duration.ofHours(-3), Duration.ofDays(9)}) {
            ManualClock there = new ManualClock(clock.now().plus(apart));
            CountingEngine far = new CountingEngine(memory(there));
            DenyCache around = cache(far, 1_000);
            Ask one = Ask.of(charge(TEN_A_SECOND, "ann", 1));
            around.decide(Ask.of(charge(TEN_A_SECOND, "ann", 10)));
            around.decide(one);
            clock.advance(Duration.ofMillis(60));
            there.advance(Duration.ofMillis(60));
            Denied denied = (Denied) Objects.requireNonNull(around.decide(one).ifReady());
            assertThat(denied.decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
            assertThat(denied.madeAt()).isEqualTo(there.now());
            Instant fits = there.now().plusMillis(40);
            assertThat(denied.retry()).isEqualTo(new Retry.NotBefore(fits, Duration.ofMillis(40)));
        }
    }

    @Test
    void decide_slowAnswer_countsFromTheSendingTime() {
        CachedStore far = new CachedStore();
        Ask one = Ask.of(charge(TEN_A_SECOND, "ann", 1));
        far.decide(Ask.of(charge(TEN_A_SECOND, "ann", 10)));
        far.cache.decide(one);
        far.clock.advance(Duration.ofMillis(70)); // on the way there; the store denies until 100 ms
        far.wire.arrive();
        far.wire.comeBack();
        assertThat(far.send(one)).isNotDone();
    }

    @Test
    void decide_clockSetBackBeforeTheDenial_asksTheStore() {
        drain(DAILY, "ann");
        clock.advance(Duration.ofNanos(-1_000));
        assertThat(decide(charge(DAILY, "ann", 1)).decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void decide_moreKeysThanRoom_dropsOldDenialsAndStaysCorrect() {
        CountingEngine counted = new CountingEngine(memory(clock));
        DenyCache small = cache(counted, 10);
        for (int i = 0; i < 100; i++) {
            small.decide(Ask.of(charge(DAILY, "who" + i, 3)));
            small.decide(Ask.of(charge(DAILY, "who" + i, 1)));
        }
        int trips = counted.trips();
        for (int i = 0; i < 100; i++) {
            assertThat(Objects.requireNonNull(small.decide(Ask.of(charge(DAILY, "who" + i, 4)))
                                    .ifReady())
                            .isAllowed())
                    .isFalse();
        }
        assertThat(counted.trips() - trips).isGreaterThanOrEqualTo(90);
    }

    @Test
    void builder_noRoom_isRejected() {
        assertThatThrownBy(() -> DenyCache.builder(store).maxKeys(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("maxKeys: 0 (expected: > 0)");
    }

    @Test
    void decide_turnCountedFromNow_isNotProvenByALaterTime() {
        Limit queue = Limit.leakyBucket(999_983, Duration.ofHours(1), 1_000_000_000_000L); // its tick is a second
        Charge one = charge(queue, "ann", 1);
        clock.set(Instant.parse("2042-06-24T09:04:59.1Z"));
        assertThat(decide(charge(queue, "ann", 1 + queue.capacity())).isAllowed())
                .isFalse();
        clock.advance(Duration.ofMillis(900).minusNanos(123_000));

        // In an idle queue, the turn behind one request comes with the next second: soon from now, but nearly a second
        // away a moment later.
        assertThat(decide(Ask.of(one, one).maxDelay(Duration.ofMillis(977))).isAllowed())
                .isTrue();
    }
}
