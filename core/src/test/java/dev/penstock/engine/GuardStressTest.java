package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.spi.Ask;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.InterceptingEngine;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many threads, on the system's clock and timer, around a store that misbehaves in every possible way. */
class GuardStressTest {
    private static final int THREADS = 4;
    private static final int DECISIONS = 3_000;

    /** Randomly answers at once, soon, late, never, with an error, or with an exception. */
    private static final class WildStore extends InterceptingEngine {
        WildStore() {
            super(MemoryEngine.create());
        }

        @Override
        public String name() {
            return "wild";
        }

        @Override
        protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
            return switch (ThreadLocalRandom.current().nextInt(8)) {
                case 0 -> throw new IllegalStateException("not connected");
                case 1 -> Reply.later(CompletableFuture.failedFuture(new IllegalStateException("cut")));
                case 2 -> Reply.later(new CompletableFuture<>());
                case 3 -> after(30, call);
                case 4 -> after(1, call);
                default -> call.get();
            };
        }

        private static <T> Reply<T> after(long millis, Supplier<Reply<T>> call) {
            return Reply.later(CompletableFuture.supplyAsync(
                            call, CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS))
                    .thenCompose(Reply::whenReady));
        }
    }

    private static final List<Limit> LIMITS = List.of(
            Limit.tokenBucket(1_000, Duration.ofSeconds(1)),
            Limit.fixedWindow(1_000, Duration.ofSeconds(1)),
            Limit.slidingWindow(1_000, Duration.ofSeconds(1)),
            Limit.slidingLog(1_000, Duration.ofSeconds(1)),
            Limit.leakyBucket(1_000, Duration.ofSeconds(1), 1_000),
            Limit.concurrency(1_000, Duration.ofSeconds(1)));

    private static Ask ask(Random random) {
        FailureMode[] modes = FailureMode.values();
        Ask ask = Ask.of(
                charge(LIMITS.get(random.nextInt(6)), "user " + random.nextInt(20), 1, modes[random.nextInt(3)]),
                charge(LIMITS.get(random.nextInt(6)), "user " + random.nextInt(20), 1));
        return switch (random.nextInt(4)) {
            case 0 -> ask.peek();
            case 1 -> ask.hold(Hold.of(Duration.ofSeconds(1)));
            default -> ask;
        };
    }

    @Test
    @Timeout(60)
    void decide_wildStore_isAlwaysAnsweredWithoutException() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try (Guard guard = Guard.builder(new WildStore())
                .deadline(Duration.ofMillis(10))
                .nodes(3)
                .maxKeys(50)
                .build()) {
            List<Future<Integer>> runs = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                Random random = new Random(i);
                runs.add(threads.submit(() -> run(guard, random)));
            }
            for (Future<Integer> run : runs) {
                assertThat(run.get()).isEqualTo(DECISIONS);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static int run(Guard guard, Random random) {
        int answered = 0;
        for (int i = 0; i < DECISIONS; i++) {
            Decision decision =
                    guard.decide(ask(random)).whenReady().toCompletableFuture().join();
            PermitHandle grant = decision instanceof Allowed allowed ? allowed.permitHandle() : null;
            if (grant != null) {
                guard.settle(grant.id(), null).whenReady().toCompletableFuture().join();
            }
            answered++;
        }
        return answered;
    }
}
