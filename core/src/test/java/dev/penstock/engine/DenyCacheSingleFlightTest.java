package dev.penstock.engine;

import static dev.penstock.engine.CachedStore.TEN_A_SECOND;
import static dev.penstock.engine.CachedStore.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.spi.Ask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** When a cached denial expires, one ask goes to the store and the others wait for its answer. */
class DenyCacheSingleFlightTest {
    private static final Ask ONE = Ask.of(charge(TEN_A_SECOND, "ann", 1));
    private static final Ask IMPATIENT = ONE.orTimeout(Duration.ofMillis(10));

    private final CachedStore on = new CachedStore();

    private void drainUntilTheDenialRunsOut(Ask denied) {
        on.drain(denied);
        on.clock.advance(Duration.ofMillis(101));
    }

    @Test
    void decide_manyAtOnceAfterADenialExpires_oneIsSentAndTheOthersWait() {
        drainUntilTheDenialRunsOut(ONE);
        int before = on.store.trips();
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            answers.add(on.send(ONE));
        }
        on.wire.settleDown();
        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(answers.stream().filter(each -> each.join().isAllowed())).hasSize(1);
        assertThat(on.store.trips() - before).isEqualTo(2);
    }

    @Test
    void decide_storeTooSlowToWait_allAreSent() {
        drainUntilTheDenialRunsOut(IMPATIENT);
        on.cache.decide(IMPATIENT);
        on.clock.advance(Duration.ofMillis(4));
        on.wire.settleDown();
        int before = on.store.trips();
        on.cache.decide(IMPATIENT);
        on.cache.decide(IMPATIENT);
        on.wire.settleDown();
        assertThat(on.store.trips() - before).isEqualTo(2);
    }

    @Test
    void decide_waitedForItsTimeout_isNotCharged() {
        drainUntilTheDenialRunsOut(IMPATIENT);
        on.cache.decide(IMPATIENT);
        CompletableFuture<Decision> waiting = on.send(IMPATIENT);
        on.clock.advance(Duration.ofMillis(11));
        int before = on.store.trips();
        on.wire.settleDown();
        assertThat(waiting).isCompletedExceptionally();
        assertThat(on.store.trips() - before).isEqualTo(1);
    }

    @Test
    void decide_theSentAskFails_theOthersAreSent() {
        drainUntilTheDenialRunsOut(ONE);
        CompletableFuture<Decision> scout = on.send(ONE);
        CompletableFuture<Decision> other = on.send(ONE);
        on.wire.failFirst(new IllegalStateException("gone"));
        assertThat(scout).isCompletedExceptionally();
        assertThat(other).isNotDone();
        on.wire.settleDown();
        assertThat(other.join().isAllowed()).isTrue();
    }

    /**
     * The next permit is due 200 milliseconds after the first denial, whose round trip took no time. After 104
     * milliseconds, another ask is denied, whose round trip took three milliseconds.
     */
    private void denyAfterALongWay(long storeSetAheadMicros) {
        drainUntilTheDenialRunsOut(ONE);
        assertThat(on.decide(ONE).isAllowed()).isTrue();
        on.storeAheadMicros = storeSetAheadMicros;
        CompletableFuture<Decision> slow = on.send(ONE);
        on.clock.advance(Duration.ofMillis(3));
        on.wire.settleDown();
        assertThat(CachedStore.now(slow).isAllowed()).isFalse();
    }

    @Test
    void decide_deniedAfterASlowRoundTrip_isCachedAsLongAsAfterAFastOne() {
        denyAfterALongWay(0);
        on.clock.advance(Duration.ofMillis(95)); // based on the slow denial alone, it would expire after 93
        assertThat(on.decide(ONE).decidedBy()).isEqualTo(DecidedBy.DENY_CACHE);
        on.clock.advance(Duration.ofMillis(1));
        assertThat(on.decide(ONE).isAllowed()).isTrue();
    }

    @Test
    void decide_storesClockSetAhead_earlierMeasurementIsNotUsed() {
        denyAfterALongWay(50_000);
        on.clock.advance(Duration.ofMillis(66));
        assertThat(on.decide(ONE).isAllowed()).isTrue();
    }
}
