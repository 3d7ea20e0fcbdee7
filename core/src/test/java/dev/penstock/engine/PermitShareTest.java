package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** One caller gets a quarter of the room for permits, and not all of it. */
class PermitShareTest {
    private static final int MAX_PERMITS = 20;
    private static final int SHARE = 5;
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Limit TOKENS = Limit.tokenBucket(1_000, Duration.ofSeconds(1));
    private static final Limit SLOTS = Limit.concurrency(1_000, MINUTE);

    /** An engine that counts all charges in this process. */
    record Setup(String name, Engine engine, ManualClock clock) {
        @Override
        public String toString() {
            return name;
        }

        Decision decide(Ask ask) {
            return Objects.requireNonNull(engine.decide(ask).ifReady());
        }

        String permit(Ask ask) {
            Decision decision = decide(ask);
            assertThat(decision).isInstanceOf(Allowed.class);
            return Objects.requireNonNull(((Allowed) decision).permitHandle()).id();
        }

        List<String> permits(int count, Ask ask) {
            List<String> ids = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                ids.add(permit(ask));
            }
            return ids;
        }

        void refuses(Ask ask) {
            assertThat(decide(ask))
                    .isInstanceOfSatisfying(
                            Denied.class, denied -> assertThat(denied.reason()).isEqualTo(Denied.Reason.STORE_FULL));
        }

        Settlement.Status settle(String id) {
            return Objects.requireNonNull(engine.settle(id, null).ifReady()).status();
        }

        Settlement.Status renew(String id) {
            return Objects.requireNonNull(engine.renew(id).ifReady()).status();
        }
    }

    private static Setup memory(int maxKeys) {
        ManualClock clock = new ManualClock();
        return new Setup(
                "memory", MemoryEngine.builder().clock(clock).maxKeys(maxKeys).build(), clock);
    }

    static Stream<Setup> setups() {
        ManualClock clock = new ManualClock();
        Engine store = MemoryEngine.builder().clock(clock).build();
        Engine localFirst =
                LocalFirst.builder(store).clock(clock).maxKeys(MAX_PERMITS).build();
        return Stream.of(memory(MAX_PERMITS), new Setup("local limits", localFirst, clock));
    }

    private static Charge charge(Limit limit, String who, long cost) {
        return Charge.of(
                LimitSettings.of("policy", limit).place(LimitSettings.Place.LOCAL), Key.of("counter", who), cost);
    }

    private static Ask held(Charge... charges) {
        return Ask.of(charges).hold(Hold.of(MINUTE));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void decide_keyThatUsedItsShare_isDeniedAndOthersAreNot(Setup setup) {
        List<String> permits = setup.permits(SHARE, Ask.of(charge(SLOTS, "ann", 1)));

        setup.refuses(Ask.of(charge(SLOTS, "ann", 1)));
        setup.permits(SHARE, Ask.of(charge(SLOTS, "ben", 1)));
        setup.permit(Ask.of(charge(SLOTS, "eve", 1)));

        assertThat(setup.settle(permits.get(2))).isEqualTo(Settlement.Status.SETTLED);
        setup.permit(Ask.of(charge(SLOTS, "ann", 1)));
        setup.refuses(Ask.of(charge(SLOTS, "ann", 1)));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void decide_costsOfZero_countUntilTheyExpire(Setup setup) {
        setup.permits(SHARE, held(charge(TOKENS, "ann", 0)));
        setup.refuses(held(charge(TOKENS, "ann", 0)));
        setup.clock.advance(MINUTE.minusMillis(1));
        setup.refuses(held(charge(TOKENS, "ann", 0)));
        setup.clock.advance(Duration.ofMillis(1));

        setup.permits(SHARE, held(charge(TOKENS, "ann", 0)));
        setup.refuses(held(charge(TOKENS, "ann", 0)));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void decide_permitsOfManyLifetimes_freeTheirPlacesAsEachExpires(Setup setup) {
        for (int minutes : new int[] {50, 10, 40, 20, 30}) {
            setup.permit(Ask.of(charge(TOKENS, "ann", 1)).hold(Hold.of(Duration.ofMinutes(minutes))));
        }
        Ask forHours = Ask.of(charge(TOKENS, "ann", 1)).hold(Hold.of(Duration.ofHours(9)));
        for (int i = 0; i < SHARE; i++) {
            setup.refuses(forHours);
            setup.clock.advance(Duration.ofMinutes(10));
            setup.permit(forHours);
        }
        setup.refuses(forHours);
    }

    @ParameterizedTest
    @MethodSource("setups")
    void renew_pastTheFirstExpiry_staysCountedOnce(Setup setup) {
        List<String> permits = setup.permits(SHARE, held(charge(TOKENS, "ann", 1)));
        for (int i = 0; i < 3; i++) {
            setup.clock.advance(Duration.ofSeconds(40));
            permits.subList(0, SHARE - 1)
                    .forEach(id -> assertThat(setup.renew(id)).isEqualTo(Settlement.Status.RENEWED));
        }
        setup.permit(held(charge(TOKENS, "ann", 1)));
        setup.refuses(held(charge(TOKENS, "ann", 1)));
        setup.clock.advance(MINUTE);
        setup.permits(SHARE, held(charge(TOKENS, "ann", 1)));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void decide_keySharedByAll_countsAgainstNobody(Setup setup) {
        for (int i = 0; i < MAX_PERMITS; i++) {
            setup.permit(held(charge(TOKENS, "all", 1), charge(TOKENS, "user " + i % 4, 1)));
        }
        setup.refuses(held(charge(TOKENS, "all", 1), charge(TOKENS, "user 0", 1)));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void decide_chargesOnOneAccount_countAsOnePermit(Setup setup) {
        setup.permits(SHARE, held(charge(TOKENS, "ann", 1), charge(TOKENS, "ann", 2)));
        setup.refuses(held(charge(TOKENS, "ann", 1)));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void decide_narrowKeyOfAShadow_doesNotIncreaseTheShare(Setup setup) {
        LimitSettings shadow = LimitSettings.of("shadow", TOKENS)
                .place(LimitSettings.Place.LOCAL)
                .enforcement(Enforcement.SHADOW);
        for (int i = 0; i < SHARE; i++) {
            setup.permit(held(charge(TOKENS, "ann", 1), Charge.of(shadow, Key.of("counter", "request " + i), 1)));
        }
        setup.refuses(held(charge(TOKENS, "ann", 1), Charge.of(shadow, Key.of("counter", "another"), 1)));
    }

    @ParameterizedTest
    @MethodSource("setups")
    void decide_manyKeysWithAPermitEach_areServedInBoundedMemory(Setup setup) {
        for (int i = 0; i < 1_000; i++) {
            setup.permit(Ask.of(charge(SLOTS, "user " + i, 1)));
            setup.clock.advance(Duration.ofSeconds(7));
        }
        assertThat(Retained.by(setup.engine))
                .filteredOn(object -> object.getClass().getSimpleName().equals("Place"))
                .hasSizeBetween(1, MAX_PERMITS);
    }

    @ParameterizedTest
    @MethodSource("smallCaps")
    void decide_maximumTooSmallToDivide_isAvailableToOneKey(int maxKeys) {
        Setup setup = memory(maxKeys);
        setup.permits(maxKeys, held(charge(TOKENS, "ann", 1)));
        setup.refuses(held(charge(TOKENS, "ann", 1)));
    }

    static Stream<Integer> smallCaps() {
        return Stream.of(1, 2, 15);
    }
}
