package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.LONG_ENOUGH;
import static dev.penstock.engine.GuardedStore.charge;
import static dev.penstock.engine.GuardedStore.now;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.FailureMode;
import dev.penstock.Limit;
import dev.penstock.Policy.Consistency;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A complete node: a guard around a deny cache around leasing around a store. */
class GuardCompositionTest {
    private static final Limit DAILY = Limit.fixedWindow(10_000, Duration.ofDays(1));
    private static final Duration A_LITTLE = Duration.ofNanos(10_000);

    private final ManualClock clock = new ManualClock();
    private final ScriptedStore store = new ScriptedStore(clock);
    private final Engine leasing =
            Leasing.builder(store).clock(clock).scheduler(clock).build();
    private final Guard guard = Guard.builder(
                    DenyCache.builder(leasing).clock(clock).build())
            .clock(clock)
            .scheduler(clock)
            .build();

    private static Ask strict(String who, long cost) {
        return Ask.of(charge(DAILY, who, cost, FailureMode.CLOSED));
    }

    private static Ask hot() {
        return Ask.of(Charge.of(
                LimitSettings.of("policy", DAILY).consistency(Consistency.LEASED), Key.of("counter", "hot"), 1));
    }

    private Decision decide(Ask ask) {
        return now(guard.decide(ask));
    }

    /** Makes the cache certain to deny the key from now on. */
    private void denyForSure(String who) {
        decide(strict(who, DAILY.capacity()));
        decide(strict(who, 1));
        assertThat(decide(strict(who, 1)).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
    }

    private void loseStore() {
        store.mood = Mood.FAILING;
        for (int i = 0; i < 10; i++) {
            decide(strict("the unlucky", 0));
            clock.advance(LONG_ENOUGH.dividedBy(10));
        }
        assertThat(guard.isInFallback()).isTrue();
    }

    @Test
    void denialWhileLeasesAreShort_takesNothingFromTheShareOfAnOutage() {
        decide(Ask.of(Charge.of(
                LimitSettings.of("policy", DAILY).consistency(Consistency.LEASED), Key.of("counter", "hot"), 9_000)));
        boolean isShort = false;
        for (int i = 0; i < 10_000 && !isShort; i++) {
            Decision decision = decide(hot());
            isShort = !decision.isAllowed() && decision.decidedBy() == DecidedBy.LEASE;
        }
        assertThat(isShort).isTrue();
        loseStore();
        clock.advance(Duration.ofSeconds(1));
        assertThat(decide(hot()).isAllowed()).isTrue();
        assertThat(decide(hot()).isAllowed()).isTrue();
    }

    @Test
    void denialsOfTheCache_areNoEvidenceForTheStore() {
        denyForSure("ann");
        store.mood = Mood.FAILING;
        for (int i = 0; i < 10; i++) {
            for (int k = 0; k < 10; k++) {
                decide(strict("ann", 1));
            }
            decide(strict("bob", 1));
            clock.advance(LONG_ENOUGH.dividedBy(10));
        }
        assertThat(guard.isInFallback()).isTrue();
    }

    /** Sends requests for the hot key one after the other, and returns how many are allowed. */
    private int allowedOf(int requests, DecidedBy by) {
        int allowed = 0;
        for (int i = 0; i < requests; i++) {
            Decision decision = decide(hot());
            allowed += decision.isAllowed() && decision.decidedBy() == by ? 1 : 0;
            clock.advance(A_LITTLE);
        }
        return allowed;
    }

    @Test
    void share_ofALeasedKey_startsFromWhatTheStoreHadLeft() {
        assertThat(allowedOf(5_000, DecidedBy.LEASE)).isGreaterThan(4_000);
        loseStore();
        assertThat(allowedOf(10_000, DecidedBy.FALLBACK)).isBetween(2_000, 5_000);
    }

    @Test
    void leasesDrawnBefore_areSpentWhileTheStoreFails() {
        allowedOf(5_000, DecidedBy.LEASE);
        store.mood = Mood.FAILING;
        assertThat(allowedOf(100, DecidedBy.LEASE)).isEqualTo(100);
        assertThat(guard.isInFallback()).isFalse();
    }
}
