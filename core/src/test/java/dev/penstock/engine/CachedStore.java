package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Clock;
import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A deny cache, a wire and the store at its end, on a manual clock, with methods for test scenarios. */
final class CachedStore {
    static final Limit TEN_A_SECOND = Limit.tokenBucket(10, Duration.ofSeconds(1));
    static final Limit DAILY = Limit.fixedWindow(3, Duration.ofDays(1));

    final ManualClock clock = new ManualClock();

    /** The lead of the store's clock over the local clock. */
    long storeAheadMicros;

    final CountingEngine store = new CountingEngine(memory(() -> clock.micros() + storeAheadMicros));
    final LateEngine wire = new LateEngine(store);
    final DenyCache cache = DenyCache.builder(wire).clock(clock).build();

    static Engine memory(Clock clock) {
        return MemoryEngine.builder().clock(clock).build();
    }

    static Charge charge(Limit limit, String who, long cost) {
        return Charge.of(LimitSettings.of("policy", limit), Key.of("counter", who), cost);
    }

    /** Sends an ask, and leaves everything that goes to the store in flight. */
    CompletableFuture<Decision> send(Ask ask) {
        return cache.decide(ask).whenReady().toCompletableFuture();
    }

    /** Sends an ask, and delivers everything that is in flight. */
    Decision decide(Ask ask) {
        CompletableFuture<Decision> answer = send(ask);
        wire.settleDown();
        return now(answer);
    }

    static Decision now(CompletableFuture<Decision> answer) {
        assertThat(answer).isDone();
        return answer.join();
    }

    /** Spends everything that the limit has, and makes sure that the cache knows that the store denied this ask. */
    void drain(Ask denied) {
        Charge charge = denied.charge(0);
        Charge all = Charge.of(charge.settings(), charge.key(), charge.limit().capacity());
        assertThat(decide(Ask.of(all)).isAllowed()).isTrue();
        assertThat(decide(denied).isAllowed()).isFalse();
    }
}
