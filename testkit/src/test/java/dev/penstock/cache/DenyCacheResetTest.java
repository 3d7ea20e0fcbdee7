package dev.penstock.cache;

import static dev.penstock.cache.CachedStore.DAILY;
import static dev.penstock.cache.CachedStore.charge;
import static dev.penstock.cache.CachedStore.now;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Ask;
import dev.penstock.DecidedBy;
import dev.penstock.Decision;
import dev.penstock.DenyCache;
import dev.penstock.spi.Fleet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What a reset makes the cache forget, and when. */
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
    void reset_onAnotherNode_takesEffectWhenItIsToldOf() {
        List<Runnable> listeners = new ArrayList<>();
        CountingEngine shared = new CountingEngine(CachedStore.memory(on.clock)) {
            @Override
            public Fleet fleet() {
                return new ResetFleet(listeners);
            }
        };
        DenyCache here = DenyCache.builder(shared).clock(on.clock).build();
        drain(here, "ann");
        drain(here, "bob");
        shared.reset(ANN);
        assertThat(ready(here, ANN).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        listeners.forEach(Runnable::run);
        assertThat(ready(here, ANN).isAllowed()).isTrue();
        assertThat(ready(here, BOB).decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    private static void drain(DenyCache cache, String who) {
        assertThat(ready(cache, Ask.of(charge(DAILY, who, 3))).isAllowed()).isTrue();
        assertThat(ready(cache, Ask.of(charge(DAILY, who, 1))).isAllowed()).isFalse();
    }

    private static Decision ready(DenyCache cache, Ask ask) {
        return Objects.requireNonNull(cache.decide(ask).ifReady());
    }

    /** Other nodes that do nothing but reset. */
    private record ResetFleet(List<Runnable> listeners) implements Fleet {
        @Override
        public int nodes() {
            return 0;
        }

        @Override
        public CompletionStage<Duration> markReturn(Duration life) {
            return CompletableFuture.completedStage(Duration.ZERO);
        }

        @Override
        public void onReset(Runnable listener) {
            listeners.add(listener);
        }
    }

    @Test
    void reset_crossedByAnAnswer_isNotUndone() {
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
    void reset_sentBeforeWhatArrivesFirst_isNotUndone() {
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
