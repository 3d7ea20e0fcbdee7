package dev.penstock.engine;

import static dev.penstock.engine.CachedStore.DAILY;
import static dev.penstock.engine.CachedStore.charge;
import static dev.penstock.engine.CachedStore.now;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Fleet;
import dev.penstock.spi.Resets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The denials that a reset removes from the cache, and when it does so. */
class DenyCacheResetTest {
    private static final Ask ANN = Ask.of(charge(DAILY, "ann", 1));
    private static final Ask BOB = Ask.of(charge(DAILY, "bob", 1));

    private final CachedStore on = new CachedStore();

    @Test
    void reset_takesEffectAtOnce() {
        on.drain(ANN);
        on.drain(BOB);
        on.cache.reset(ANN);
        on.wire.settleDown();
        assertThat(on.decide(ANN).isAllowed()).isTrue();
        assertThat(on.decide(BOB).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
    }

    @Test
    void reset_answeredAtOnce_takesEffectAtOnce() {
        DenyCache here = DenyCache.builder(on.store).clock(on.clock).build();
        drain(here, "ann");
        drain(here, "bob");
        here.reset(ANN);
        assertThat(ready(here, ANN).isAllowed()).isTrue();
        assertThat(ready(here, BOB).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
    }

    @Test
    void reset_onAnotherNode_removesOnlyThatKey() {
        ResetFleet fleet = new ResetFleet(new ArrayList<>());
        Engine shared = sharedBy(fleet, CachedStore.memory(on.clock));
        DenyCache here = DenyCache.builder(shared).clock(on.clock).build();
        drain(here, "ann");
        drain(here, "bob");
        shared.reset(ANN);
        assertThat(ready(here, ANN).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        fleet.report(Resets.of(ANN));
        assertThat(ready(here, ANN).isAllowed()).isTrue();
        assertThat(ready(here, BOB).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
    }

    @Test
    void reset_onAnotherNodeOfUnknownKeys_removesAll() {
        ResetFleet fleet = new ResetFleet(new ArrayList<>());
        Engine shared = sharedBy(fleet, CachedStore.memory(on.clock));
        DenyCache here = DenyCache.builder(shared).clock(on.clock).build();
        drain(here, "ann");
        drain(here, "bob");
        fleet.report(Resets.ALL);
        assertThat(ready(here, ANN).decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(ready(here, BOB).decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void reset_onAnotherNodeDuringAnAsk_isNotUndone() {
        ResetFleet fleet = new ResetFleet(new ArrayList<>());
        LateEngine wire = new LateEngine(sharedBy(fleet, on.store));
        DenyCache here = DenyCache.builder(wire).clock(on.clock).build();
        on.decide(Ask.of(charge(DAILY, "ann", 3)));

        CompletableFuture<Decision> denied = here.decide(ANN).whenReady().toCompletableFuture();
        wire.arrive();
        on.store.reset(ANN);
        fleet.report(Resets.of(ANN));
        wire.comeBack();
        assertThat(now(denied).isAllowed()).isFalse();

        CompletableFuture<Decision> after = here.decide(ANN).whenReady().toCompletableFuture();
        wire.settleDown();
        assertThat(now(after).isAllowed()).isTrue();
    }

    private static Engine sharedBy(Fleet fleet, Engine store) {
        return new CountingEngine(store) {
            @Override
            public Fleet fleet() {
                return fleet;
            }
        };
    }

    private static void drain(DenyCache cache, String who) {
        assertThat(ready(cache, Ask.of(charge(DAILY, who, 3))).isAllowed()).isTrue();
        assertThat(ready(cache, Ask.of(charge(DAILY, who, 1))).isAllowed()).isFalse();
    }

    private static Decision ready(DenyCache cache, Ask ask) {
        return Objects.requireNonNull(cache.decide(ask).ifReady());
    }

    /** Other nodes, which only reset. */
    private record ResetFleet(List<Consumer<Resets>> listeners) implements Fleet {
        void report(Resets resets) {
            listeners.forEach(listener -> listener.accept(resets));
        }

        @Override
        public int nodes() {
            return 0;
        }

        @Override
        public CompletionStage<Duration> agreeOnReturn(Duration life) {
            return CompletableFuture.completedStage(Duration.ZERO);
        }

        @Override
        public void onReset(Consumer<Resets> listener) {
            listeners.add(listener);
        }
    }

    @Test
    void reset_duringAnAsk_isNotUndone() {
        on.decide(Ask.of(charge(DAILY, "ann", 3)));

        CompletableFuture<Decision> denied = on.send(ANN);
        on.cache.reset(ANN);
        on.wire.arrive();
        on.wire.arrive();
        on.wire.comeBackLast();
        on.wire.comeBack();
        assertThat(now(denied).isAllowed()).isFalse();

        assertThat(on.decide(ANN).isAllowed()).isTrue();
    }

    @Test
    void reset_overtakenByAnAsk_isNotUndone() {
        on.decide(Ask.of(charge(DAILY, "ann", 3)));

        on.cache.reset(ANN);
        CompletableFuture<Decision> denied = on.send(ANN);
        on.wire.arriveLast();
        on.wire.comeBack();
        on.wire.arrive();
        on.wire.comeBack();
        assertThat(now(denied).isAllowed()).isFalse();

        assertThat(on.decide(ANN).isAllowed()).isTrue();
    }
}
