package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.Retry;
import dev.penstock.Settlement;
import dev.penstock.algorithm.Lockout;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.IdempotencyKey;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The behavior of the memory engine when there are more keys than it may keep. */
class MemoryEngineBoundsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final ManualClock clock = new ManualClock();
    private final LimitSettings perSecond = LimitSettings.of("p", Limit.tokenBucket(1, SECOND));
    private final LimitSettings perHour = LimitSettings.of("p", Limit.tokenBucket(1, Duration.ofHours(1)));

    @ParameterizedTest
    @EnumSource(WhenFull.class)
    void flood_ofIdleKeys_neverEvictsALiveOne(WhenFull whenFull) {
        MemoryEngine engine = engine(1_000, whenFull);
        for (int i = 0; i < 500; i++) {
            assertThat(charge(engine, perHour, "live-" + i).isAllowed()).isTrue();
        }
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 100_000; i++) {
            assertThat(charge(engine, perSecond, "flood-" + random.nextLong()).isAllowed())
                    .isTrue();
            clock.advance(Duration.ofMillis(3)); // 334 floods are live at any time
        }
        for (int i = 0; i < 500; i++) {
            assertThat(charge(engine, perHour, "live-" + i).isAllowed())
                    .as("live-%d", i)
                    .isFalse();
        }
        assertThat(engine.stats().keys()).isLessThanOrEqualTo(1_000);
        assertThat(engine.stats().hasBeenFull()).isFalse();
        assertThat(engine.stats().evictedIdle()).isGreaterThan(98_000);
    }

    @Test
    void idleKeys_areEvictedLongBeforeTheMaximum() {
        MemoryEngine engine = engine(1_000_000, WhenFull.DENY);
        for (int i = 0; i < 50_000; i++) {
            charge(engine, perSecond, "k" + i);
            clock.advance(Duration.ofMillis(10)); // 100 are live at any time, and idle ones are spared for ten seconds
        }
        assertThat(engine.stats().keys()).isLessThan(1_500);
    }

    @Test
    void full_denying_reportsItAndRecovers() {
        MemoryEngine engine = engine(10, WhenFull.DENY);
        fill(engine, 10);
        Decision decision = charge(engine, perSecond, "one more");
        assertThat(decision).isInstanceOfSatisfying(Denied.class, denied -> {
            assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FULL);
            assertThat(denied.retry()).isEqualTo(new Retry.Estimate(clock.now().plus(SECOND), SECOND));
        });
        assertThat(engine.stats().deniedFull()).isEqualTo(1);
        assertThat(engine.stats().hasBeenFull()).isTrue();
        assertThat(charge(engine, perSecond, "k3").isAllowed())
                .as("known keys are still counted")
                .isFalse();
        clock.advance(SECOND);
        assertThat(charge(engine, perSecond, "one more").isAllowed()).isTrue();
    }

    @Test
    void full_allowing_doesNotCount() {
        MemoryEngine engine = engine(10, WhenFull.ALLOW);
        fill(engine, 10);
        for (int i = 0; i < 3; i++) {
            assertThat(charge(engine, perSecond, "one more").isAllowed()).isTrue();
        }
        assertThat(engine.stats().uncounted()).isEqualTo(3);
        assertThat(engine.stats().keys()).isEqualTo(10);
        assertThat(charge(engine, perSecond, "k3").isAllowed()).isFalse();
    }

    @Test
    void full_evicting_evictsTheAccountThatIsIdleFirst() {
        MemoryEngine engine = engine(10, WhenFull.EVICT_OLDEST);
        for (int i = 0; i < 10; i++) {
            charge(engine, perSecond, "k" + i);
            clock.advance(Duration.ofMillis(1));
        }
        assertThat(charge(engine, perSecond, "one more").isAllowed()).isTrue();
        assertThat(engine.stats().evictedLive()).isEqualTo(1);
        for (int i = 1; i < 10; i++) {
            assertThat(peek(engine, perSecond, "k" + i).isAllowed())
                    .as("k%d is remembered", i)
                    .isFalse();
        }
        assertThat(peek(engine, perSecond, "k0").isAllowed())
                .as("k0 is forgotten")
                .isTrue();
    }

    @Test
    void full_evicting_usesTheCurrentState_notTheFirst() {
        MemoryEngine engine = engine(2, WhenFull.EVICT_OLDEST);
        LimitSettings fiveSeconds = LimitSettings.of("q", Limit.tokenBucket(5, Duration.ofSeconds(5)));
        charge(engine, fiveSeconds, "early");
        clock.advance(Duration.ofMillis(100));
        charge(engine, fiveSeconds, "late");
        charge(engine, fiveSeconds, "early"); // now becomes idle after "late"
        charge(engine, fiveSeconds, "new");
        assertThat(remaining(engine, fiveSeconds, "early")).isEqualTo(3);
        assertThat(remaining(engine, fiveSeconds, "late")).isEqualTo(5);
    }

    @Test
    void denialsPeeksAndCostsOfZero_keepNoKey() {
        MemoryEngine engine = engine(1_000, WhenFull.DENY);
        charge(engine, perHour, "tenant");
        for (int i = 0; i < 100; i++) {
            Ask ask = Ask.of(charge(perSecond, "user-" + i, 1), charge(perHour, "tenant", 1));
            assertThat(engine.decide(ask).isAllowed()).isFalse();
            peek(engine, perSecond, "peek-" + i);
            assertThat(engine.decide(Ask.of(charge(perSecond, "free-" + i, 0))).isAllowed())
                    .isTrue();
            assertThat(engine.decide(Ask.of(charge(perSecond, "dear-" + i, 2))).isAllowed())
                    .isFalse();
        }
        assertThat(engine.stats().keys()).isEqualTo(1);
    }

    @Test
    void clockSetBack_idleKeysStillGoFirst() {
        MemoryEngine engine = engine(10, WhenFull.DENY);
        fill(engine, 10);
        clock.advance(Duration.ofHours(-5));
        assertThat(charge(engine, perSecond, "a").isAllowed()).isFalse();
        clock.advance(Duration.ofSeconds(3)); // a bucket with a debt of one second is full again after two seconds
        assertThat(charge(engine, perSecond, "a").isAllowed()).isTrue();
    }

    static Stream<Limit> everyAlgorithm() {
        return Stream.of(
                Limit.tokenBucket(1, SECOND),
                Limit.leakyBucket(1, SECOND, 1),
                Limit.fixedWindow(1, SECOND),
                Limit.slidingWindow(1, SECOND),
                Limit.slidingLog(1, SECOND),
                Limit.concurrency(1, SECOND),
                Limit.of(new Lockout(1, SECOND, SECOND, "")));
    }

    /**
     * Nobody reads the keys that fill the engine, so the engine itself must find that they are idle by the new time.
     */
    @ParameterizedTest
    @MethodSource("everyAlgorithm")
    void clockSetBack_unreadKeysMakeRoom(Limit limit) {
        MemoryEngine engine = engine(10, WhenFull.DENY);
        LimitSettings settings = LimitSettings.of("p", limit);
        for (int i = 0; i < 10; i++) {
            assertThat(charge(engine, settings, "k" + i).isAllowed()).isTrue();
        }
        clock.advance(Duration.ofHours(-5));
        assertThat(charge(engine, perSecond, "a").isAllowed()).isFalse();
        clock.advance(Duration.ofSeconds(4)); // a sliding window in the future is empty after three seconds
        charge(engine, perSecond, "a"); // a hold may live for its full time once more
        clock.advance(Duration.ofSeconds(2));
        assertThat(charge(engine, perSecond, "a").isAllowed()).isTrue();
    }

    /** A crowd of new keys makes the engine check every account without changing it. */
    @ParameterizedTest
    @MethodSource("everyAlgorithm")
    void clockSetBackAndAheadAgain_unreadAccountsAreUnchanged(Limit limit) {
        MemoryEngine engine = engine(10_000, WhenFull.DENY);
        LimitSettings settings = LimitSettings.of("p", limit);
        charge(engine, settings, "k");
        fill(engine, 500);
        Decision before = peek(engine, settings, "k");
        clock.advance(Duration.ofHours(-1));
        for (int i = 0; i < 500; i++) {
            charge(engine, perSecond, "meanwhile-" + i);
        }
        clock.advance(Duration.ofHours(1));
        assertThat(peek(engine, settings, "k")).hasToString(before.toString());
    }

    @Test
    void permits_areBoundedAndExpiredOnesAreDropped() {
        MemoryEngine engine = MemoryEngine.builder()
                .clock(clock)
                .maxKeys(100)
                .whenFull(WhenFull.DENY)
                .rememberFor(SECOND)
                .build();
        LimitSettings slots = LimitSettings.of("p", Limit.concurrency(1_000, SECOND));
        for (int i = 0; i < 100; i++) {
            assertThat(charge(engine, slots, "k" + i % 4).isAllowed()).isTrue();
        }
        assertThat(charge(engine, slots, "k4"))
                .isInstanceOfSatisfying(
                        Denied.class, denied -> assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FULL));
        clock.advance(SECOND); // expired, although nobody settled them
        for (int i = 0; i < 10_000; i++) {
            assertThat(charge(engine, slots, "k4").isAllowed()).isTrue();
            clock.advance(Duration.ofMillis(50)); // 20 are held, 40 remembered at any time
        }
    }

    @Test
    void settledPermit_isRememberedForTheSetTime() {
        MemoryEngine engine =
                MemoryEngine.builder().clock(clock).rememberFor(SECOND).build();
        Decision decision = charge(engine, LimitSettings.of("p", Limit.concurrency(1, SECOND)), "k");
        String id = ((dev.penstock.Allowed) decision).permitHandle().id();
        assertThat(id).startsWith("memory-");
        assertThat(engine.settle(id, null).status()).isEqualTo(Settlement.Status.SETTLED);
        clock.advance(Duration.ofMillis(999));
        assertThat(engine.settle(id, null).status()).isEqualTo(Settlement.Status.SETTLED);
        clock.advance(Duration.ofMillis(1));
        assertThat(engine.settle(id, null).status()).isEqualTo(Settlement.Status.UNKNOWN);
    }

    @Test
    void fingerprint_ownsTheIdForTheSetTimeAfterItsLastDecision() {
        MemoryEngine engine =
                MemoryEngine.builder().clock(clock).rememberFor(SECOND).build();
        LimitSettings slots = LimitSettings.of("p", Limit.concurrency(1, Duration.ofMillis(100)));
        Ask mine = Ask.of(charge(slots, "mine", 1)).id(new IdempotencyKey("request", "mine"));
        Ask other = Ask.of(charge(slots, "other", 1)).id(new IdempotencyKey("request", "other"));
        assertThat(engine.decide(mine).isAllowed()).isTrue();
        clock.advance(Duration.ofMillis(500));
        assertThat(engine.decide(other).isAllowed()).isFalse();
        assertThat(engine.decide(mine).isAllowed()).isTrue();
        clock.advance(Duration.ofMillis(999));
        assertThat(engine.decide(other).isAllowed()).isFalse();
        clock.advance(Duration.ofMillis(1));
        assertThat(engine.decide(other).isAllowed()).isTrue();
    }

    @Test
    void full_evictingAccountsThatAreIdleTogether_evictsTheOldestButNotItsOwn() {
        MemoryEngine engine = engine(100, WhenFull.EVICT_OLDEST);
        LimitSettings window = LimitSettings.of("w", Limit.fixedWindow(5, Duration.ofDays(1)));
        for (int i = 0; i < 100; i++) {
            charge(engine, window, "k" + i);
        }
        for (int i = 0; i < 20; i++) {
            Ask three = Ask.of(charge(window, "a" + i, 1), charge(window, "b" + i, 1), charge(window, "c" + i, 1));
            assertThat(engine.decide(three).isAllowed()).isTrue();
        }
        assertThat(engine.stats().evictedLive()).isEqualTo(60);
        assertThat(engine.stats().deniedFull()).isZero();
        assertThat(remaining(engine, window, "k59")).isEqualTo(5);
        assertThat(remaining(engine, window, "k60")).isEqualTo(4);
    }

    @Test
    void full_accountsOfOneAsk_doNotEvictOneAnother() {
        for (int maxKeys = 3; maxKeys < 130; maxKeys += 7) {
            accountsOfOneAskStay(engine(maxKeys, WhenFull.EVICT_OLDEST), maxKeys);
        }
    }

    private void accountsOfOneAskStay(MemoryEngine engine, int maxKeys) {
        LimitSettings second = LimitSettings.of("s", Limit.tokenBucket(10, Duration.ofSeconds(1)));
        LimitSettings minute = LimitSettings.of(
                "m", Limit.tokenBucket(100, Duration.ofMinutes(1)).id("minute"));
        LimitSettings day = LimitSettings.of("d", Limit.fixedWindow(10_000, Duration.ofDays(1)));
        for (int i = 0; i < 300; i++) {
            String user = "k" + i + "of" + maxKeys;
            Ask three = Ask.of(charge(second, user, 1), charge(minute, user, 1), charge(day, user, 1));
            assertThat(engine.decide(three).isAllowed()).as("user %s", user).isTrue();
        }
        assertThat(engine.stats().deniedFull()).isZero();
        assertThat(engine.stats().keys()).isEqualTo(maxKeys);
    }

    @Test
    void full_shadowCharges_areNotCountedAndDenyNothing() {
        MemoryEngine engine = engine(10, WhenFull.DENY);
        fill(engine, 10);
        LimitSettings shadow = perSecond.enforcement(Enforcement.SHADOW);
        assertThat(charge(engine, shadow, "one more").isAllowed()).isTrue();
        assertThat(engine.stats().uncounted()).isEqualTo(1);
    }

    @Test
    void full_longWait_isReportedWithoutOverflow() {
        MemoryEngine engine = engine(1, WhenFull.DENY);
        LimitSettings slow = LimitSettings.of(
                "s", Limit.tokenBucket(1, Duration.ofDays(36_500), 10).maxDebt(0));
        engine.decide(Ask.of(charge(slow, "a", 10)));
        assertThat(charge(engine, slow, "b"))
                .isInstanceOfSatisfying(
                        Denied.class,
                        denied -> assertThat(denied.retry().waitFor()).isGreaterThan(Duration.ofDays(364_000)));
    }

    @Test
    void loweredLimit_debtOfVeryManyTicks_staysInRange() {
        MemoryEngine engine = engine(10, WhenFull.DENY);
        LimitSettings fast =
                LimitSettings.of("s", Limit.tokenBucket(1_000_000_000, SECOND).id("x"));
        LimitSettings slow = LimitSettings.of(
                "s", Limit.tokenBucket(11, Duration.ofDays(7), 8_000_000).id("x"));
        engine.decide(Ask.of(charge(fast, "a", 1_000_000_000)));
        Decision owing = engine.decide(Ask.of(charge(slow, "a", 1)));
        assertThat(owing.isAllowed()).isFalse();
        assertThat(owing.limits().get(0).resetAfter()).isPositive();
        clock.advance(Duration.ofSeconds(60));
        charge(engine, perSecond, "other");
        assertThat(engine.decide(Ask.of(charge(slow, "a", 8_000_000))).isAllowed())
                .isFalse();
    }

    @Test
    void threadDelayedBeforeItDecides_doesNotLookLikeAClockSetBack() {
        for (Limit limit : new Limit[] {
            Limit.fixedWindow(10, Duration.ofMillis(10)),
            Limit.slidingWindow(10, Duration.ofMillis(10)),
            Limit.tokenBucket(1_000, SECOND, 10),
        }) {
            LimitSettings settings = LimitSettings.of("p", limit);
            HoldingUp slow = new HoldingUp();
            MemoryEngine engine = MemoryEngine.builder().clock(slow).build();
            charge(engine, settings, "warm");
            int[] admitted = {0};
            charge(engine, settings, "k");
            slow.holdUp(() -> {
                clock.advance(Duration.ofMillis(100));
                for (int i = 0; i < 20; i++) {
                    admitted[0] += charge(engine, settings, "k").isAllowed() ? 1 : 0;
                }
            });
            for (int i = 0; i < 20; i++) {
                boolean late = charge(engine, settings, "k").isAllowed(); // the first request is delayed
                admitted[0] += late ? 1 : 0;
            }
            assertThat(admitted[0]).as(limit.toString()).isEqualTo(10);
        }
    }

    /** A clock that runs other code once, between a reading and its use. */
    private final class HoldingUp implements Clock {
        private Runnable meanwhile = () -> {};

        void holdUp(Runnable what) {
            meanwhile = what;
        }

        @Override
        public long micros() {
            long read = clock.micros();
            Runnable now = meanwhile;
            meanwhile = () -> {};
            now.run();
            return read;
        }
    }

    private void fill(MemoryEngine engine, int keys) {
        for (int i = 0; i < keys; i++) {
            assertThat(charge(engine, perSecond, "k" + i).isAllowed()).isTrue();
        }
    }

    private MemoryEngine engine(int maxKeys, WhenFull whenFull) {
        return MemoryEngine.builder()
                .clock(clock)
                .maxKeys(maxKeys)
                .whenFull(whenFull)
                .build();
    }

    private static Charge charge(LimitSettings settings, String key, long cost) {
        return Charge.of(settings, Key.of(settings.limit().id(), key), cost);
    }

    private static Decision charge(MemoryEngine engine, LimitSettings settings, String key) {
        return engine.decide(Ask.of(charge(settings, key, 1)));
    }

    private static Decision peek(MemoryEngine engine, LimitSettings settings, String key) {
        return engine.decide(Ask.of(charge(settings, key, 1)).peek());
    }

    private static long remaining(MemoryEngine engine, LimitSettings settings, String key) {
        return peek(engine, settings, key).limits().get(0).remaining();
    }
}
