package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Limit;
import dev.penstock.Policy.Consistency;
import dev.penstock.Retry;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Scheduler;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.InterceptingEngine;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.TestSeed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeasingTest {
    private static final int NODES = 8;
    private static final int RATE = 5_000;
    private static final int DAILY = 10_000;

    private final ManualClock clock = new ManualClock();
    private final CountingStore store =
            new CountingStore(MemoryEngine.builder().clock(clock).build());
    private final LimitSettings daily = leased(Limit.tokenBucket(DAILY, Duration.ofDays(1)));
    private final LimitSettings bucket = leased(Limit.tokenBucket(RATE, Duration.ofSeconds(1)));

    @Nested
    class Contract extends EngineContract {
        @Override
        protected Engine createEngine(ManualClock by) {
            return Leasing.builder(MemoryEngine.builder().clock(by).build())
                    .clock(by)
                    .scheduler(by)
                    .build();
        }
    }

    /** Every admission is checked against a bucket with the same numbers, at the time when it was made. */
    @ParameterizedTest
    @ValueSource(ints = {RATE / 4, RATE, 2 * RATE, 10 * RATE})
    void manyNodes_atAnyDemand_neverExceedTheBucket(int demand) {
        long seed = TestSeed.printed("leases at a demand of " + demand);
        SplittableRandom random = new SplittableRandom(seed);
        List<Leasing> nodes = nodes();
        long begin = clock.micros();
        long period = 1_000_000 / RATE;
        long fullAgainAt = begin;
        long admitted = 0;
        long asked = 0;
        while (clock.micros() < begin + 5_000_000) {
            Decision decision = nodes.get(random.nextInt(NODES))
                    .decide(Ask.of(charge(bucket, "hot")))
                    .ifReady();
            asked++;
            if (decision != null && decision.isAllowed()) {
                admitted++;
                fullAgainAt = Math.max(fullAgainAt, clock.micros()) + period;
                assertThat(fullAgainAt - clock.micros())
                        .as("seed %d, admission %d", seed, admitted)
                        .isLessThanOrEqualTo(1_000_000);
            }
            clock.advance(Duration.ofNanos(1_000L * random.nextInt(2 * 1_000_000 / demand + 1)));
        }
        long possible = Math.min(asked, RATE + 5L * RATE);
        assertThat(admitted).as("seed %d", seed).isGreaterThan(possible * 90 / 100);
        if (demand <= RATE) {
            assertThat(store.calls).as("seed %d", seed).isLessThan(asked / 3);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"fixed", "sliding", "log"})
    void manyNodes_onWindows_neverExceedTheWindow(String kind) {
        Duration second = Duration.ofSeconds(1);
        Limit limit = kind.equals("fixed")
                ? Limit.fixedWindow(2_000, second)
                : kind.equals("log") ? Limit.slidingLog(2_000, second) : Limit.slidingWindow(2_000, second);
        SplittableRandom random = new SplittableRandom(kind.hashCode());
        List<Leasing> nodes = nodes();
        Deque<Long> inWindow = new ArrayDeque<>();
        long begin = clock.micros();
        while (clock.micros() < begin + 5_000_000) {
            long now = clock.micros();
            while (!inWindow.isEmpty() && isOutside(kind, inWindow.peekFirst(), now)) {
                inWindow.removeFirst();
            }
            Decision decision = nodes.get(random.nextInt(NODES))
                    .decide(Ask.of(charge(leased(limit), "hot")))
                    .ifReady();
            if (decision != null && decision.isAllowed()) {
                inWindow.addLast(now);
                // The sliding window is an estimate by design, but within one of its own windows it is exact.
                assertThat(inWindow.size()).isLessThanOrEqualTo(2_000);
            }
            clock.advance(Duration.ofNanos(1_000L * random.nextInt(500)));
        }
    }

    private static boolean isOutside(String kind, long then, long now) {
        return kind.equals("log") ? then <= now - 1_000_000 : then / 1_000_000 < now / 1_000_000;
    }

    @Test
    void hotKey_isSpentLocally_andReportsIt() {
        Leasing node = nodes().get(0);
        heat(node);
        long before = store.calls;
        long decidedBefore = node.decided();
        for (int i = 0; i < 20; i++) {
            Decision decision = decide(node, Ask.of(charge(bucket, "hot")));
            assertThat(decision.isAllowed()).isTrue();
            assertThat(decision.decidedBy()).isEqualTo(DecidedBy.LEASE);
            assertThat(decision.limits()).hasSize(1);
        }
        assertThat(store.calls).isEqualTo(before);
        assertThat(node.decided() - decidedBefore).isEqualTo(20);
    }

    @Test
    void held_countsDrawnAndUnspentPermits_byPolicy() {
        Leasing node = nodes().get(0);
        decide(node, Ask.of(charge(bucket, "cold")));
        assertThat(node.held()).isEmpty();
        heat(node);
        long held = node.held().get("p");
        decide(node, Ask.of(charge(bucket, "hot")));

        assertThat(node.held()).containsExactly(Map.entry("p", held - 1));
        clock.advance(Duration.ofSeconds(1));
        assertThat(node.held()).isEmpty();
    }

    @Test
    void keyFarAboveItsLimit_costsFewTripsAndGetsNearlyTheWholeLimit() {
        Leasing node = nodes().get(0);
        long begin = clock.micros();
        long admitted = 0;
        long asked = 0;
        while (clock.micros() < begin + 10_000_000) {
            Decision decision = decide(node, Ask.of(charge(bucket, "hot")));
            asked++;
            admitted += decision.isAllowed() ? 1 : 0;
            clock.advance(Duration.ofNanos(1_000_000_000L / RATE / 20));
        }
        assertThat(admitted).isBetween(97L * 10 * RATE / 100, 11L * RATE);
        assertThat(store.calls).isLessThan(asked / 500);
    }

    @Test
    void deniedForShortage_reportsAnEstimatedRetry() {
        Leasing node = nodes().get(0);
        Denied denied = null;
        for (int i = 0; denied == null || denied.decidedBy() != DecidedBy.LEASE; i++) {
            assertThat(i).isLessThan(10 * RATE);
            denied = decide(node, Ask.of(charge(bucket, "hot"))) instanceof Denied refused ? refused : denied;
        }
        assertThat(denied.retry()).isInstanceOf(Retry.Estimate.class);
        assertThat(denied.retry().waitFor()).isBetween(Duration.ofMillis(1), Duration.ofMillis(100));
        assertThat(denied.limits())
                .singleElement()
                .satisfies(limit -> assertThat(limit.remaining()).isZero());
    }

    @Test
    void demandThatGrowsDuringADraw_isNoShortage() {
        Limit ample = Limit.tokenBucket(100_000, Duration.ofSeconds(1));
        LateStore late = new LateStore(MemoryEngine.builder().clock(clock).build());
        Leasing node = Leasing.builder(late).clock(clock).scheduler(clock).build();
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            answers.add(node.decide(Ask.of(charge(leased(ample), "hot")))
                    .whenReady()
                    .toCompletableFuture());
            if (i % 50 == 49) {
                clock.advance(Duration.ofMillis(1));
                late.answerAll();
            }
        }
        late.answerAll();
        assertThat(answers).allMatch(each -> each.isDone() && each.join().isAllowed());
    }

    @Test
    void drawThatIsDenied_smallCostsGoToTheStore() {
        Limit hourly = Limit.tokenBucket(1_000, Duration.ofHours(1));
        Leasing node = nodes().get(0);
        decide(store, Ask.of(Charge.of(leased(hourly), Key.of("p", "big"), 600)));
        decide(node, Ask.of(Charge.of(leased(hourly), Key.of("p", "big"), 900)));
        for (int i = 0; i < 300; i++) {
            assertThat(decide(node, Ask.of(charge(leased(hourly), "big"))).isAllowed())
                    .as("ask %d", i)
                    .isTrue();
            clock.advance(Duration.ofMillis(1));
        }
    }

    @Test
    void unusedLease_isGivenBackWhenItEnds() {
        Leasing node = nodes().get(0);
        long spent = heat(node, daily);
        assertThat(remaining(daily)).as("with a lease out").isLessThan(DAILY - spent);
        clock.advance(Duration.ofSeconds(1));
        assertThat(remaining(daily)).isEqualTo(DAILY - spent);
    }

    @Test
    void coldKeyAndStrictPolicy_areDecidedByTheStore() {
        Leasing node = nodes().get(0);
        for (int i = 0; i < 5; i++) {
            assertThat(decide(node, Ask.of(charge(bucket, "cold"))).decidedBy()).isEqualTo(DecidedBy.STORE);
            clock.advance(Duration.ofSeconds(1));
        }
        LimitSettings strict = LimitSettings.of("p", bucket.limit());
        for (int i = 0; i < 200; i++) {
            assertThat(decide(node, Ask.of(charge(strict, "strict"))).decidedBy())
                    .isEqualTo(DecidedBy.STORE);
        }
    }

    @Test
    void crashedNode_costsAtMostItsLease() {
        Scheduler stopped = (delay, task) -> {};
        long spent = heat(Leasing.builder(store).clock(clock).scheduler(stopped).build(), daily);
        long left = remaining(daily);
        assertThat(left).as("with a lease out").isLessThan(DAILY - spent);
        clock.advance(Duration.ofSeconds(3));
        assertThat(remaining(daily)).isGreaterThanOrEqualTo(left);
        clock.advance(Duration.ofDays(1));
        assertThat(remaining(daily)).as("when all has come back").isEqualTo(DAILY);
    }

    @Test
    void clockSetBack_endsTheLease() {
        Leasing node = nodes().get(0);
        heat(node);
        clock.advance(Duration.ofHours(-1));
        assertThat(decide(node, Ask.of(charge(bucket, "hot"))).decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void moreKeysThanRoom_hotKeysAreStillLeased() {
        Leasing node =
                Leasing.builder(store).clock(clock).scheduler(clock).maxKeys(16).build();
        for (int i = 0; i < 1_000; i++) {
            decide(node, Ask.of(charge(bucket, "cold " + i)));
        }
        heat(node);
        assertThat(decide(node, Ask.of(charge(bucket, "hot"))).decidedBy()).isEqualTo(DecidedBy.LEASE);
    }

    @Test
    void keyDroppedDuringALease_isChargedTheSpentPermits() {
        Leasing node =
                Leasing.builder(store).clock(clock).scheduler(clock).maxKeys(2).build();
        LimitSettings window = leased(Limit.fixedWindow(10_000, Duration.ofDays(1)));
        long allowed = 0;
        for (int i = 0; i < 500; i++) {
            allowed += decide(node, Ask.of(charge(window, "hot"))).isAllowed() ? 1 : 0;
            if (i % 100 == 99) {
                for (int k = 0; k < 4; k++) {
                    decide(node, Ask.of(charge(window, "other " + k)));
                }
            }
        }
        clock.advance(Duration.ofSeconds(1));
        assertThat(remaining(window)).isEqualTo(10_000 - allowed);
    }

    @Test
    void reset_dropsTheLease() {
        Leasing node = nodes().get(0);
        heat(node);
        node.reset(Ask.of(charge(bucket, "hot")));
        assertThat(decide(node, Ask.of(charge(bucket, "hot")).peek())
                        .limits()
                        .get(0)
                        .remaining())
                .isEqualTo(RATE);
        assertThat(decide(node, Ask.of(charge(bucket, "hot"))).decidedBy()).isEqualTo(DecidedBy.STORE);
    }

    private void heat(Leasing node) {
        heat(node, bucket);
    }

    /** Sends enough asks to make the key hot, and returns how many were allowed. */
    private long heat(Leasing node, LimitSettings settings) {
        long allowed = 0;
        for (int i = 0; i < 200; i++) {
            allowed += decide(node, Ask.of(charge(settings, "hot"))).isAllowed() ? 1 : 0;
        }
        return allowed;
    }

    /** Returns what the store has left, whatever nodes hold. */
    private long remaining(LimitSettings settings) {
        return decide(store, Ask.of(charge(settings, "hot")).peek())
                .limits()
                .get(0)
                .remaining();
    }

    @Test
    void close_waitsForADrawInProgress_andGivesItBack() {
        CompletableFuture<Void> released = new CompletableFuture<>();
        AtomicBoolean isDrawing = new AtomicBoolean();
        List<String> done = new CopyOnWriteArrayList<>();
        Leasing node = Leasing.builder(new InterceptingEngine(store) {
                    @Override
                    public Reply<Decision> decide(Ask ask) {
                        if (ask.hold() == null) {
                            return super.decide(ask);
                        }
                        isDrawing.set(true);
                        return Reply.later(released.thenApply(now -> LeasingTest.decide(inner, ask)));
                    }

                    @Override
                    public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
                        done.add("settled at " + actual);
                        return super.settle(permitId, actual);
                    }

                    @Override
                    public void close() {
                        done.add("closed");
                    }
                })
                .clock(clock)
                .scheduler(clock)
                .build();
        while (!isDrawing.get()) {
            var unused = node.decide(Ask.of(charge(bucket, "hot")));
        }
        Thread closing = Thread.currentThread();
        CompletableFuture<Void> releasing = CompletableFuture.runAsync(() -> {
            await().pollInterval(Duration.ofMillis(1)).until(() -> closing.getState() == Thread.State.TIMED_WAITING);
            released.complete(null);
        });
        node.close();

        assertThat(done).containsExactly("settled at " + Costs.of(Costs.REQUESTS, 0), "closed");
        assertThat(releasing).succeedsWithin(Duration.ofSeconds(60));
    }

    private List<Leasing> nodes() {
        List<Leasing> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(Leasing.builder(store).clock(clock).scheduler(clock).build());
        }
        return nodes;
    }

    private static LimitSettings leased(Limit limit) {
        return LimitSettings.of("p", limit).consistency(Consistency.LEASED);
    }

    private static Charge charge(LimitSettings settings, String key) {
        return Charge.of(settings, Key.of("p", key), 1);
    }

    private static Decision decide(Engine engine, Ask ask) {
        Decision decision = engine.decide(ask).ifReady();
        if (decision == null) {
            throw new AssertionError("the store answers at once");
        }
        return decision;
    }

    /** A store whose answers arrive when the test says so. */
    private static final class LateStore extends InterceptingEngine {
        private final Deque<Runnable> answers = new ArrayDeque<>();

        LateStore(Engine inner) {
            super(inner);
        }

        @Override
        protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
            CompletableFuture<T> answer = new CompletableFuture<>();
            answers.add(() -> answer.complete(call.get().ifReady()));
            return Reply.later(answer);
        }

        void answerAll() {
            while (!answers.isEmpty()) {
                answers.remove().run();
            }
        }
    }

    /** A store that counts its calls. */
    private static final class CountingStore extends InterceptingEngine {
        private long calls;

        CountingStore(Engine inner) {
            super(inner);
        }

        @Override
        protected <T> Reply<T> carryOut(Supplier<Reply<T>> call) {
            calls++;
            return super.carryOut(call);
        }
    }
}
