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

/** A deny cache, a wire and the store at its end, on a clock turned by hand, and the words to tell what happens to them. */
final class CachedStore {
    static final Limit TEN_A_SECOND = Limit.tokenBucket(10, Duration.ofSeconds(1));
    static final Limit DAILY = Limit.fixedWindow(3, Duration.ofDays(1));

    final ManualClock clock = new ManualClock();

    /** By how much the store's clock is ahead of the one here. */
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

    /** Asks, and leaves what goes to the store on its way. */
    CompletableFuture<Decision> send(Ask ask) {
        return cache.decide(ask).whenReady().toCompletableFuture();
    }

    /** Asks, and lets whatever is on its way come to its end. */
    Decision decide(Ask ask) {
        CompletableFuture<Decision> answer = send(ask);
        wire.settleDown();
        return now(answer);
    }

    static Decision now(CompletableFuture<Decision> answer) {
        assertThat(answer).isDone();
        return answer.join();
    }

    /** All that the limit has is spent, and the cache knows that the store denied this ask. */
    void drain(Ask denied) {
        Charge charge = denied.charge(0);
        Charge all = Charge.of(charge.settings(), charge.key(), charge.limit().capacity());
        assertThat(decide(Ask.of(all)).isAllowed()).isTrue();
        assertThat(decide(denied).isAllowed()).isFalse();
    }
}
