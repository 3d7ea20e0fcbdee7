package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.TestSeed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/** Threads that use shared accounts intensively get exactly the limit, whatever the order of their locks. */
class MemoryEngineConcurrencyTest {
    private static final int THREADS = 8;
    private static final int DECISIONS = 50_000;

    private final ManualClock clock = new ManualClock();
    private final MemoryEngine engine = MemoryEngine.builder().clock(clock).build();

    private static Charge charge(Limit limit, String key, long cost) {
        return Charge.of(LimitSettings.of("policy", limit), Key.of("shared", key), cost);
    }

    private long remaining(Limit limit, String key) {
        return engine.decide(Ask.of(charge(limit, key, 0)).peek())
                .limits()
                .get(0)
                .remaining();
    }

    /** The work of one thread. The argument is the number of the thread. */
    private interface Work<T> {
        T run(int thread) throws Exception;
    }

    /** Starts all threads at once and waits for them. A deadlock exceeds the timeout of the wait. */
    private static <T> List<T> together(Work<T> work) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CyclicBarrier start = new CyclicBarrier(THREADS);
            List<Callable<T>> tasks = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int thread = i;
                tasks.add(() -> {
                    start.await();
                    return work.run(thread);
                });
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : threads.invokeAll(tasks, 120, TimeUnit.SECONDS)) {
                results.add(future.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    private static long sum(List<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).sum();
    }

    @Test
    void stackedLimits_admitExactlyTheSharedOne() throws Exception {
        Limit everyone = Limit.fixedWindow(50_000, Duration.ofDays(1));
        Limit each = Limit.tokenBucket(1, Duration.ofDays(1), 10_000);
        Limit slowly = Limit.slidingLog(20_000, Duration.ofHours(1));
        long admitted = sum(together(thread -> {
            long count = 0;
            for (int i = 0; i < DECISIONS; i++) {
                String own = "own" + (i + thread) % THREADS;
                Charge[] charges = i % 2 == 0
                        ? new Charge[] {charge(everyone, "all", 1), charge(each, own, 1), charge(slowly, own, 1)}
                        : new Charge[] {charge(slowly, own, 1), charge(each, own, 1), charge(everyone, "all", 1)};
                count += engine.decide(Ask.of(charges)).isAllowed() ? 1 : 0;
            }
            return count;
        }));
        assertThat(admitted).isEqualTo(50_000);
        assertThat(remaining(everyone, "all")).isZero();
        long byBucket = 0;
        long byLog = 0;
        for (int i = 0; i < THREADS; i++) {
            byBucket += 10_000 - remaining(each, "own" + i);
            byLog += 20_000 - remaining(slowly, "own" + i);
        }
        assertThat(byBucket).isEqualTo(50_000);
        assertThat(byLog).isEqualTo(50_000);
    }

    @Test
    void oneAccount_admitsExactlyItsLimit() throws Exception {
        Limit limit = Limit.tokenBucket(1, Duration.ofDays(1), 77_777);
        long admitted = sum(together(thread -> {
            long count = 0;
            for (int i = 0; i < DECISIONS; i++) {
                count += engine.decide(Ask.of(charge(limit, "one", 1))).isAllowed() ? 1 : 0;
            }
            return count;
        }));
        assertThat(admitted).isEqualTo(77_777);
    }

    @Test
    void randomOrdersOfKeys_neverDeadlockOrTear() throws Exception {
        int keys = 12;
        Limit limit = Limit.fixedWindow(1_000_000_000, Duration.ofDays(1));
        Limit scarce = Limit.tokenBucket(1, Duration.ofDays(1), 20_000);
        AtomicLongArray expected = new AtomicLongArray(keys);
        long seed = TestSeed.printed("orders of keys");
        together(thread -> {
            Random random = new Random(seed + thread);
            for (int i = 0; i < DECISIONS; i++) {
                List<Integer> some = new ArrayList<>();
                for (int j = 0; j < 4; j++) {
                    some.add(random.nextInt(keys));
                }
                List<Charge> charges = new ArrayList<>();
                some.forEach(key -> charges.add(charge(limit, "k" + key, 1)));
                charges.add(charge(scarce, "scarce" + random.nextInt(4), 1));
                Collections.shuffle(charges, random);
                if (engine.decide(Ask.of(charges)).isAllowed()) {
                    some.forEach(expected::incrementAndGet);
                }
            }
            return thread;
        });
        long total = 0;
        for (int key = 0; key < keys; key++) {
            assertThat(remaining(limit, "k" + key)).isEqualTo(1_000_000_000 - expected.get(key));
            total += expected.get(key);
        }
        assertThat(total).isEqualTo(4 * 4 * 20_000);
    }

    @Test
    void onePermitSettledByAll_isChargedOnceAndAnsweredTheSame() throws Exception {
        Limit limit = Limit.fixedWindow(100_000_000, Duration.ofDays(1));
        long charged = 0;
        for (int round = 0; round < 300; round++) {
            Ask ask = Ask.of(charge(limit, "settled", 1_000)).hold(Hold.of(Duration.ofHours(1)));
            PermitHandle grant = Objects.requireNonNull(((Allowed) engine.decide(ask)).permitHandle());
            List<Settlement> answers =
                    together(thread -> engine.settle(grant.id(), Costs.of("requests", 10L + thread)));
            assertThat(new HashSet<>(answers)).hasSize(1);
            assertThat(answers.get(0).status()).isEqualTo(Settlement.Status.SETTLED);
            charged += answers.get(0).charged().amount("requests", -1);
        }
        assertThat(remaining(limit, "settled")).isEqualTo(100_000_000 - charged);
    }

    @Test
    void slots_areNeverHeldByMoreThanTheLimit() throws Exception {
        Limit limit = Limit.concurrency(3, Duration.ofHours(1));
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        long entered = sum(together(thread -> {
            long count = 0;
            for (int i = 0; i < 20_000; i++) {
                Decision decision = engine.decide(Ask.of(charge(limit, "slots", 1)));
                if (decision instanceof Allowed allowed) {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    inside.decrementAndGet();
                    engine.settle(Objects.requireNonNull(allowed.permitHandle()).id(), null);
                    count++;
                }
            }
            return count;
        }));
        assertThat(entered).isPositive();
        assertThat(most.get()).isBetween(1, 3);
        assertThat(remaining(limit, "slots")).isEqualTo(3);
    }

    @Test
    void reserveAndSettle_underContention_loseAndCreateNothing() throws Exception {
        Limit limit = Limit.tokenBucket(1, Duration.ofDays(1), 100_000);
        long spent = sum(together(thread -> {
            Random random = new Random(thread);
            long count = 0;
            for (int i = 0; i < 20_000; i++) {
                Ask ask = Ask.of(charge(limit, "held", 5)).hold(Hold.of(Duration.ofHours(1)));
                if (engine.decide(ask) instanceof Allowed allowed) {
                    long actual = random.nextInt(6);
                    engine.settle(Objects.requireNonNull(allowed.permitHandle()).id(), Costs.of("requests", actual));
                    count += actual;
                }
            }
            return count;
        }));
        assertThat(remaining(limit, "held")).isEqualTo(100_000 - spent);
    }

    @Test
    void oneId_usedByAllThreads_isChargedOnce() throws Exception {
        Limit limit = Limit.fixedWindow(1_000, Duration.ofDays(1));
        for (int round = 0; round < 300; round++) {
            Ask ask = Ask.of(charge(limit, "same", 1), charge(Limit.concurrency(400, Duration.ofHours(1)), "same", 1))
                    .id("request" + round);
            List<Decision> answers = together(thread -> engine.decide(ask));
            Set<PermitHandle> grants = new HashSet<>();
            answers.forEach(answer -> grants.add(Objects.requireNonNull(((Allowed) answer).permitHandle())));
            assertThat(grants).hasSize(1);
        }
        assertThat(remaining(limit, "same")).isEqualTo(700);
    }

    @Test
    void clockChangedMeanwhile_admitsNoMoreThanBurstAndRate() throws Exception {
        Limit limit = Limit.tokenBucket(1_000, Duration.ofSeconds(1), 100);
        long start = clock.micros();
        long admitted = sum(together(thread -> {
            long count = 0;
            for (int i = 0; i < DECISIONS; i++) {
                if (thread == 0) {
                    clock.advance(Duration.ofNanos(100_000));
                } else {
                    count += engine.decide(Ask.of(charge(limit, "turned", 1))).isAllowed() ? 1 : 0;
                }
            }
            return count;
        }));
        long elapsedMillis = (clock.micros() - start) / 1_000;
        assertThat(admitted).isBetween(100L, 100 + elapsedMillis);
    }
}
