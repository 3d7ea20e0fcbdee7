package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Completion;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Methods that return a stage never throw. They fail the stage. */
class LimiterAsyncTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Request BOB = Request.of("user", "bob");
    private static final Request NO_USER = Request.of("tenant", "acme");

    private final Limiter limiter = Limiter.of(Policy.named("p")
            .limit(PolicyLimit.of(Limit.tokenBucket(5, SECOND))
                    .by("user")
                    .whenMissing(PolicyLimit.WhenMissing.REFUSE)));

    @ParameterizedTest(name = "{0}")
    @MethodSource("badCalls")
    void badInput_failsTheStage(String message, Function<Limiter, CompletionStage<?>> call) {
        assertFailed(call.apply(limiter), message);
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    static Stream<Arguments> badCalls() {
        return Stream.of(
                bad("request: null", limiter -> limiter.decideAsync(null)),
                bad("", limiter -> limiter.decideAsync(NO_USER)),
                bad("request: null", limiter -> limiter.peekAsync(null)),
                bad("request: null", limiter -> limiter.acquireAsync(null)),
                bad("", limiter -> limiter.acquireAsync(NO_USER)),
                bad("hold: null", limiter -> limiter.reserveAsync(BOB, null)),
                bad("request: null", limiter -> limiter.await(null, SECOND)),
                bad("atMost: null", limiter -> limiter.await(BOB, null)),
                bad("atMost: PT0S", limiter -> limiter.await(BOB, Duration.ZERO)),
                bad("request: null", limiter -> limiter.acquireWithin(null, SECOND)),
                bad("atMost: null", limiter -> limiter.acquireWithin(BOB, null)),
                bad("permitId: null", limiter -> limiter.settleAsync(null, Costs.of("requests", 1))),
                bad("actual: null", limiter -> limiter.settleAsync("memory-1", null)),
                bad("permitId: \"\"", limiter -> limiter.releaseAsync("")),
                bad("permitId: \"\"", limiter -> limiter.renewAsync("")),
                bad("ask: null", limiter -> limiter.askAsync(null)),
                bad("ask: null", limiter -> limiter.resetAsync(null, () -> {})),
                bad("", limiter -> limiter.resetCountersAsync(null)));
    }

    private static Arguments bad(String message, Function<Limiter, CompletionStage<?>> call) {
        return arguments(message, call);
    }

    @Test
    void permit_settleAsyncAtAnUnknownUnit_failsTheStage() {
        Permit permit = limiter.reserve(BOB);

        assertFailed(permit.settleAsync(Costs.of("tokens", 1)), "costs.tokens: no limit counts it");
    }

    @Test
    void permit_async_renewsSettlesAndReleases() {
        Permit settled = limiter.reserve(BOB);
        Permit released = limiter.reserve(BOB);

        assertThat(join(settled.renewAsync()).status()).isEqualTo(Settlement.Status.RENEWED);
        assertThat(join(settled.settleAsync(Costs.of("requests", 0))).status()).isEqualTo(Settlement.Status.SETTLED);
        assertThat(join(released.releaseAsync()).status()).isEqualTo(Settlement.Status.SETTLED);
    }

    @Test
    void permit_ofADenial_renewAsync_isUnknown() {
        Permit denied = limiter.acquire(BOB.cost("requests", 6));

        assertThat(join(denied.renewAsync()).status()).isEqualTo(Settlement.Status.UNKNOWN);
    }

    @Test
    void closedEngine_neverThrows() {
        Limiter closed = Limiter.builder(Policy.setOf(Policy.named("p").limit(Limit.tokenBucket(5, SECOND), "user")))
                .engine(new ClosedEngine())
                .build();

        assertThat(join(closed.decideAsync(BOB)).decidedBy()).isEqualTo(Decision.DecidedBy.FALLBACK);
        assertThat(join(closed.acquireAsync(BOB)).isGranted()).isFalse();
        assertThat(join(closed.settleAsync("memory-1", Costs.NONE))).isEqualTo(Settlement.unknown());
        assertThat(join(closed.releaseAsync("memory-1"))).isEqualTo(Settlement.unknown());
        assertThat(join(closed.renewAsync("memory-1"))).isEqualTo(Settlement.unknown());
        assertFailed(closed.resetCountersAsync(Set.of("c")), "closed");
    }

    /** A closed engine, which throws in every call. */
    private static final class ClosedEngine extends ForwardingEngine {
        ClosedEngine() {
            super(MemoryEngine.create());
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            throw new IllegalStateException("closed");
        }

        @Override
        public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
            throw new IllegalStateException("closed");
        }

        @Override
        public Reply<Settlement> renew(String permitId) {
            throw new IllegalStateException("closed");
        }

        @Override
        public Reply<Completion> resetCounters(Set<String> counters) {
            throw new IllegalStateException("closed");
        }
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static void assertFailed(CompletionStage<?> stage, String message) {
        assertThat(stage.toCompletableFuture())
                .isCompletedExceptionally()
                .satisfies(future -> assertThat(future.handle((answer, failure) -> failure)
                                .thenApply(LimiterAsyncTest::cause)
                                .join())
                        .isInstanceOf(RuntimeException.class)
                        .hasMessageStartingWith(message));
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }
}
