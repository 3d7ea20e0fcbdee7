package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.TEN_A_SECOND;
import static dev.penstock.engine.GuardedStore.ask;
import static dev.penstock.engine.GuardedStore.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.FailureMode;
import dev.penstock.Limit;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.spi.Ask;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The guard's reaction to what the store reports about other nodes. */
class GuardFleetTest {
    private static final Duration TOGETHER = Duration.ofSeconds(1);
    private static final Duration A_MICROSECOND = Duration.ofNanos(1_000);

    private final ScriptedFleet fleet = new ScriptedFleet();
    private final GuardedStore guarded = new GuardedStore(builder -> builder, fleet);

    GuardFleetTest() {
        fleet.nodes = 2;
    }

    /** Returns whether one of the next four decisions asks the store. During the return, not all of them do. */
    private boolean isStoreAsked(Ask ask) {
        int before = guarded.store.asks.size();
        for (int i = 0; i < 4; i++) {
            guarded.guard.decide(ask);
        }
        return guarded.store.asks.size() > before;
    }

    /** Loses the store and lets the probe find it again right now. */
    private void find() {
        guarded.loseStore();
        findAgain();
    }

    private void findAgain() {
        guarded.store.mood = Mood.AT_ONCE;
        while (guarded.guard.health().breaker() == Guard.Breaker.OPEN) {
            guarded.clock.advance(A_MICROSECOND);
        }
    }

    private void assertReturnsAfter(Duration time) {
        guarded.clock.advance(time.minus(A_MICROSECOND));
        assertThat(isStoreAsked(ask("ann"))).isFalse();
        guarded.clock.advance(A_MICROSECOND);
        assertThat(isStoreAsked(ask("ann"))).isTrue();
    }

    @Test
    void return_singleNode_doesNotWait() {
        fleet.nodes = 1;
        find();
        assertThat(isStoreAsked(ask("ann"))).isTrue();
    }

    @Test
    void return_firstNodeBack_waitsForTheOthers() {
        find();
        assertReturnsAfter(TOGETHER);
    }

    @Test
    void return_anotherNodeWasFirst_waitsFromItsMark() {
        fleet.markedAgo = Duration.ofMillis(650);
        find();
        assertReturnsAfter(TOGETHER.minusMillis(650));
    }

    @Test
    void return_longAfterTheOthers_doesNotWait() {
        fleet.markedAgo = Duration.ofSeconds(3);
        find();
        assertThat(isStoreAsked(ask("ann"))).isTrue();
    }

    @Test
    void return_markFails_waitsAsIfFirst() {
        fleet.isFailing = true;
        find();
        assertReturnsAfter(TOGETHER);
    }

    @Test
    void return_policyWithoutShares_doesNotWait() {
        find();
        Ask closed = Ask.of(charge(TEN_A_SECOND, "ann", 1, FailureMode.CLOSED));
        assertThat(isStoreAsked(closed)).isTrue();
        guarded.clock.advance(Duration.ofMillis(750));
        assertThat(isStoreAsked(closed)).isTrue();
        assertThat(isStoreAsked(ask("ann"))).isFalse();
        assertThat(guarded.guard.isInFallback()).isTrue();
        guarded.clock.advance(TOGETHER);
        assertThat(isStoreAsked(ask("ann"))).isTrue();
        assertThat(guarded.guard.isInFallback()).isFalse();
    }

    @Test
    void return_storeFailsMeanwhile_isFoundAgain() {
        find();
        guarded.store.mood = Mood.FAILING;
        guarded.clock.advance(TOGETHER);
        assertThat(guarded.guard.health().breaker()).isEqualTo(Guard.Breaker.OPEN);
        assertThat(isStoreAsked(ask("ann"))).isFalse();
        assertThat(guarded.events).as("one outage").hasSize(1);
        findAgain();
        assertReturnsAfter(TOGETHER);
    }

    @Test
    void return_unusedKeys_arePostedWhenAllNodesAreBack() {
        Ask bob = Ask.of(charge(Limit.fixedWindow(100, Duration.ofDays(1)), "bob", 1));
        guarded.allowed(bob);
        guarded.loseStore();
        guarded.allowed(bob);
        findAgain();
        guarded.clock.advance(TOGETHER);
        assertThat(guarded.store.remaining(bob)).isEqualTo(99);
        guarded.clock.advance(Duration.ofMillis(150));
        assertThat(guarded.store.remaining(bob)).isEqualTo(98);
    }

    private static long drainWithoutStore(GuardedStore node) {
        node.allowed(ask("ann"));
        node.loseStore();
        return node.drain(ask("ann"));
    }

    @Test
    void nodes_notConfigured_areTheStoresNumber() {
        fleet.nodes = 3;
        assertThat(drainWithoutStore(guarded)).isEqualTo(3);
    }

    @Test
    void nodes_neverReported_isOne() {
        fleet.nodes = 0;
        assertThat(drainWithoutStore(guarded)).as("refilled since").isEqualTo(10);
    }

    @Test
    void nodes_configured_overrideTheStoresNumber() {
        fleet.nodes = 3;
        assertThat(drainWithoutStore(new GuardedStore(builder -> builder.nodes(9), fleet)))
                .isEqualTo(1);
    }
}
