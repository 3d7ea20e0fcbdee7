package dev.penstock.engine;

import static dev.penstock.engine.CachedStore.DAILY;
import static dev.penstock.engine.CachedStore.charge;
import static dev.penstock.engine.CachedStore.now;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The cache's answers to asks with an id. */
class DenyCacheIdTest {
    private static final Ask ANN = Ask.of(charge(DAILY, "ann", 1));

    private final CachedStore on = new CachedStore();

    @Test
    void decide_freshIdsOfADeniedKey_neverReachADecisionOfTheStore() {
        on.drain(ANN);
        int trips = on.store.trips();
        for (int i = 0; i < 100; i++) {
            Decision denied = on.decide(ANN.id("request " + i));
            assertThat(denied.isAllowed()).isFalse();
            assertThat(denied.decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        }
        assertThat(on.store.trips()).isEqualTo(trips);
        assertThat(on.cache.stats().denied()).isEqualTo(100);
    }

    @Test
    void decide_retryOfAnAllowedAsk_isAllowedAlthoughTheKeyIsNowDenied() {
        Ask call = Ask.of(charge(DAILY, "ann", 2)).id("call");
        assertThat(on.decide(call).isAllowed()).isTrue();
        on.decide(ANN);
        assertThat(on.decide(ANN).isAllowed()).isFalse();
        assertThat(on.decide(ANN.id("another")).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);

        assertThat(on.decide(call).isAllowed()).isTrue();
    }

    @Test
    void decide_storeMayRememberTheId_storeDecides() {
        MemoryEngine memory = MemoryEngine.builder().clock(on.clock).build();
        CountingEngine unsure = new CountingEngine(memory) {
            @Override
            public Reply<Boolean> mayRemember(Ask ask) {
                return Reply.now(true);
            }
        };
        assertDecidedByStore(unsure);
    }

    @Test
    void decide_storeCannotTellWhetherItRemembers_storeDecides() {
        MemoryEngine memory = MemoryEngine.builder().clock(on.clock).build();
        CountingEngine cut = new CountingEngine(memory) {
            @Override
            public Reply<Boolean> mayRemember(Ask ask) {
                return Reply.later(CompletableFuture.failedFuture(new IllegalStateException("cut")));
            }
        };
        assertDecidedByStore(cut);
    }

    private void assertDecidedByStore(CountingEngine store) {
        DenyCache cache = DenyCache.builder(store).clock(on.clock).build();
        for (int i = 0; i < 4; i++) {
            cache.decide(ANN);
        }
        int trips = store.trips();
        CompletableFuture<Decision> denied =
                cache.decide(ANN.id("request")).whenReady().toCompletableFuture();
        assertThat(now(denied).decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(store.trips()).isEqualTo(trips + 1);
    }

    @Test
    void decide_denialRemovedDuringTheLookup_storeDecides() {
        on.drain(ANN);
        CompletableFuture<Decision> waiting = on.send(ANN.id("request"));
        on.wire.arrive();
        on.cache.reset(ANN);
        on.wire.arrive();
        on.wire.comeBackLast();
        on.wire.settleDown();
        assertThat(now(waiting).isAllowed()).isTrue();
    }

    @Test
    void decide_askOverdueAfterTheLookup_isNotSent() {
        on.drain(ANN);
        int trips = on.store.trips();
        CompletableFuture<Decision> waiting = on.send(ANN.id("request").orTimeout(Duration.ofMillis(100)));
        on.clock.advance(Duration.ofSeconds(6)); // the cached denial is too old to be used
        on.wire.settleDown();
        assertThat(waiting).isCompletedExceptionally();
        assertThat(on.store.trips()).isEqualTo(trips);
    }
}
