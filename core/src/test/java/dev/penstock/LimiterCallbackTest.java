package dev.penstock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.engine.Guard;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers' code that blocks after a wait has ended does not keep other callers from getting their answers. */
class LimiterCallbackTest {
    /** More than the maximum number of threads for callers' code. */
    private static final int VERY_MANY = 600;

    private static final int MANY = 40;
    private static final Request BOB = Request.of("user", "bob");

    /** A store that never answers, and claims to have issued every permit. */
    private static final class SilentStore extends ForwardingEngine {
        SilentStore() {
            super(MemoryEngine.create());
        }

        @Override
        public boolean mayHaveIssued(String permitId) {
            return true;
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            return Reply.later(new CompletableFuture<>());
        }

        @Override
        public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
            return Reply.later(new CompletableFuture<>());
        }
    }

    /** The part that enforces the deadline. */
    enum Deadline {
        THE_GUARDS,
        THE_LIMITERS;

        private Limiter limiter() {
            Engine store = new SilentStore();
            return Limiter.builder(
                            Policy.setOf(Policy.named("p").limit(Limit.tokenBucket(1, Duration.ofSeconds(1)), "user")))
                    .engine(
                            this == THE_GUARDS
                                    ? Guard.builder(store)
                                            .deadline(Duration.ofMillis(50))
                                            .build()
                                    : store)
                    .build();
        }
    }

    private final CountDownLatch release = new CountDownLatch(1);

    @AfterEach
    void releaseAll() {
        release.countDown();
    }

    private static Request hasty() {
        return BOB.timeout(Duration.ofMillis(20));
    }

    private static <T> List<T> inAMinute(List<CompletableFuture<T>> all) throws Exception {
        CompletableFuture.allOf(all.toArray(CompletableFuture[]::new)).get(1, TimeUnit.MINUTES);
        return all.stream().map(CompletableFuture::join).toList();
    }

    @ParameterizedTest
    @EnumSource
    void callbacksThatSettle_moreThanThreads_areAllAnswered(Deadline deadline) throws Exception {
        Limiter limiter = deadline.limiter();
        List<CompletableFuture<Settlement>> settled = new ArrayList<>();
        int callbacks = deadline == Deadline.THE_GUARDS ? VERY_MANY : MANY;
        for (int i = 0; i < callbacks; i++) {
            settled.add(limiter.decideAsync(hasty())
                    .thenApply(decision -> limiter.settle("memory-1", Costs.NONE))
                    .toCompletableFuture());
        }
        assertThat(inAMinute(settled)).hasSize(callbacks);
    }

    @ParameterizedTest
    @EnumSource
    void callbacksThatJoinAnotherAnswer_areAllAnswered(Deadline deadline) throws Exception {
        Limiter limiter = deadline.limiter();
        List<CompletableFuture<Decision>> decided = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            decided.add(limiter.decideAsync(hasty())
                    .thenApply(first ->
                            limiter.decideAsync(hasty()).toCompletableFuture().join())
                    .toCompletableFuture());
        }
        assertThat(inAMinute(decided)).hasSize(MANY);
    }

    @ParameterizedTest
    @EnumSource
    void callbacksThatHang_othersAreAnswered(Deadline deadline) throws Exception {
        Limiter limiter = deadline.limiter();
        CountDownLatch hanging = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            limiter.decideAsync(hasty()).thenAccept(decision -> {
                hanging.countDown();
                hang();
            });
        }
        assertThat(hanging.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(limiter.decide(hasty()).decidedBy()).isEqualTo(Decision.DecidedBy.FALLBACK);
        assertThat(limiter.decideAsync(hasty()).toCompletableFuture().get(1, TimeUnit.MINUTES))
                .isNotNull();
        assertThat(limiter.settle("memory-1", Costs.NONE)).isNotNull();
    }

    @Test
    void callbacksOfAwait_thatHang_othersAreAnswered() throws Exception {
        Limiter limiter = Deadline.THE_GUARDS.limiter();
        Limiter here = Limiter.of(Policy.named("p").limit(Limit.concurrency(1, Duration.ofHours(1)), "user"));
        assertThat(here.acquire(BOB).isGranted()).isTrue();
        CountDownLatch hanging = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            here.await(BOB, Duration.ofMillis(20)).thenAccept(decision -> {
                hanging.countDown();
                hang();
            });
        }
        assertThat(hanging.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(limiter.decide(hasty()).decidedBy()).isEqualTo(Decision.DecidedBy.FALLBACK);
    }

    @Test
    void callbacksOfAGuard_thatHang_othersAreAnswered() throws Exception {
        Guard guard =
                Guard.builder(new SilentStore()).deadline(Duration.ofMillis(20)).build();
        Ask ask = Policy.setOf(Policy.named("p").limit(Limit.tokenBucket(1, Duration.ofSeconds(1)), "user"))
                .match(hasty());
        CountDownLatch hanging = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            guard.decide(ask).whenReady().thenAccept(decision -> {
                hanging.countDown();
                hang();
            });
        }
        assertThat(hanging.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(guard.decide(ask).whenReady().toCompletableFuture().get(1, TimeUnit.MINUTES))
                .isNotNull();
    }

    private void hang() {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
