package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A call that is repeated under its id while the first call's permit is in use. */
class LimiterRetryTest {
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Request BOB = Request.of("user", "bob");
    private static final Request CALL = BOB.id("call-1");

    private final ManualClock clock = new ManualClock();
    private final HeldBackEngine engine = new HeldBackEngine();

    private Limiter limiter(Limit limit) {
        return Limiter.builder(Policy.setOf(Policy.named("p").limit(limit, "user")))
                .engine(engine)
                .clock(clock)
                .scheduler(clock)
                .build();
    }

    @Test
    void await_repeated_isChargedOnce() {
        Limiter limiter = limiter(Limit.tokenBucket(10, HOUR));
        limiter.await(CALL, Duration.ofSeconds(10)).toCompletableFuture().join();
        clock.advance(Duration.ofSeconds(1));
        limiter.await(CALL, Duration.ofSeconds(9)).toCompletableFuture().join();
        assertThat(limiter.peek(BOB).limits().get(0).remaining()).isEqualTo(9);
    }

    @Test
    void acquireWithin_repeated_isTheSamePermit() {
        Limiter limiter = limiter(Limit.concurrency(2, HOUR));
        Permit first = limiter.acquireWithin(CALL, Duration.ofSeconds(10))
                .toCompletableFuture()
                .join();
        clock.advance(Duration.ofSeconds(1));
        Permit again = limiter.acquireWithin(CALL, Duration.ofSeconds(10))
                .toCompletableFuture()
                .join();
        assertThat(again.permitHandle()).isEqualTo(first.permitHandle());
    }

    @Test
    void acquireWithin_repeatedAndCanceled_keepsTheFirstCallsPermit() {
        Limiter limiter = limiter(Limit.concurrency(1, HOUR));
        assertThat(limiter.acquire(CALL).isGranted()).isTrue();
        engine.gate = new CompletableFuture<>();
        CompletableFuture<Permit> again =
                limiter.acquireWithin(CALL, Duration.ofSeconds(10)).toCompletableFuture();
        again.cancel(true);
        engine.open();
        assertThat(limiter.acquire(BOB).isGranted())
                .as("the slot is the first call's")
                .isFalse();
    }

    @Test
    void await_repeatedAndCanceled_keepsTheFirstCallsPermit() {
        Limiter limiter = limiter(Limit.concurrency(1, HOUR));
        assertThat(limiter.acquire(CALL).isGranted()).isTrue();
        engine.gate = new CompletableFuture<>();
        CompletableFuture<Decision> again =
                limiter.await(CALL, Duration.ofSeconds(10)).toCompletableFuture();
        again.cancel(true);
        engine.open();
        assertThat(limiter.acquire(BOB).isGranted()).isFalse();
    }

    @Test
    void acquireWithin_canceledWithoutAnId_givesBackALatePermit() {
        Limiter limiter = limiter(Limit.concurrency(1, HOUR));
        engine.gate = new CompletableFuture<>();
        CompletableFuture<Permit> permit =
                limiter.acquireWithin(BOB, Duration.ofSeconds(10)).toCompletableFuture();
        permit.cancel(true);
        engine.open();
        assertThat(limiter.acquire(BOB).isGranted()).isTrue();
    }

    /** Decides at once, but returns the answer only when its gate is open. */
    private final class HeldBackEngine extends ForwardingEngine {
        private @Nullable CompletableFuture<Void> gate;

        HeldBackEngine() {
            super(MemoryEngine.builder().clock(clock).build());
        }

        void open() {
            CompletableFuture<Void> closed = gate;
            gate = null;
            if (closed != null) {
                closed.complete(null);
            }
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            Reply<Decision> reply = super.decide(ask);
            return gate == null ? reply : Reply.later(gate.thenCombine(reply.whenReady(), (unused, told) -> told));
        }
    }
}
