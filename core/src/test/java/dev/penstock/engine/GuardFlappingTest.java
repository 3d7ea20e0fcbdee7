package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.FailureMode;
import dev.penstock.Limit;
import dev.penstock.algorithm.TokenBucket;
import dev.penstock.engine.MemoryEngine.WhenFull;
import dev.penstock.engine.ScriptedStore.Mood;
import dev.penstock.internal.memory.MemoryStore;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A store with random outages, on keys that are used again and again.
 *
 * <p>With one node, a key whose demand stays within its limit is never denied. With several nodes, a key is denied in
 * fallback only if this node's demand exceeds its share, and by the store only if more was admitted than the limit
 * allows. The store is never charged more than was admitted without it.
 */
class GuardFlappingTest {
    private static final int SEEDS = 4;
    private static final int STEPS = 600;
    private static final Duration WINDOW = Duration.ofMinutes(12);

    /** So short that a decision at the deadline is as good as an immediate one. */
    private static final Duration A_MOMENT = Duration.ofNanos(1_000);

    private static final Duration LONGEST_OUTAGE = Duration.ofMinutes(6);

    private static final Logger LOG = Logger.getLogger("dev.penstock");

    /** Turns off the log, which thousands of outages would fill. */
    @BeforeAll
    static void silence() {
        LOG.setLevel(Level.OFF);
    }

    @AfterAll
    static void speak() {
        LOG.setLevel(null);
    }

    private static Stream<Arguments> exactLimits() {
        return Stream.of(
                Arguments.of(Limit.tokenBucket(20, WINDOW)),
                Arguments.of(Limit.of(new TokenBucket(60, WINDOW, 7))),
                Arguments.of(Limit.fixedWindow(20, WINDOW)),
                Arguments.of(Limit.leakyBucket(20, WINDOW, 20)));
    }

    private static Stream<Arguments> slidingLimits() {
        return Stream.of(Arguments.of(Limit.slidingWindow(20, WINDOW)), Arguments.of(Limit.slidingLog(20, WINDOW)));
    }

    private static Stream<Arguments> limits() {
        return Stream.concat(exactLimits(), slidingLimits());
    }

    /** The demand is everything that an account would admit if its store never failed. */
    @ParameterizedTest
    @MethodSource("exactLimits")
    void oneNode_demandWithinTheLimit_isNeverDenied(Limit limit) {
        denyNothing(limit, limit);
    }

    /**
     * A permit that was given out in an outage counts in the store from the time it is posted, and a share assumes that
     * permits were spent evenly. So the demand is what fits the limit over two windows plus the time until the permits
     * of an outage are posted, which takes longer if outages follow one another.
     */
    @ParameterizedTest
    @MethodSource("slidingLimits")
    void oneNode_demandWithinTheLimitOverTwoWindowsAndOutages_isNeverDenied(Limit limit) {
        denyNothing(
                limit, Limit.slidingLog(limit.capacity(), WINDOW.multipliedBy(2).plus(LONGEST_OUTAGE.multipliedBy(4))));
    }

    private static void denyNothing(Limit limit, Limit demandedOf) {
        long asked = 0;
        List<Long> deniedBySeed = new ArrayList<>();
        for (int seed = 1; seed <= SEEDS; seed++) {
            OneNode node = new OneNode(limit, demandedOf, new Random(seed));
            for (int i = 0; i < STEPS; i++) {
                node.step();
            }
            asked += node.asked;
            deniedBySeed.add(node.denied);
            assertThat(node.posted()).as("posted, seed %s", seed).isLessThanOrEqualTo(node.admittedInFallback);
        }
        long denied = deniedBySeed.stream().mapToLong(Long::longValue).sum();
        assertThat(denied)
                .as("%s: denied of %s asked, by seed from 1: %s", limit, asked, deniedBySeed)
                .isZero();
    }

    /** One node, its store, and a store that never fails, which determines the demand. */
    private static final class OneNode {
        private static final List<Mood> MOODS = List.of(Mood.AT_ONCE, Mood.FAILING, Mood.THROWING, Mood.WHEN_TOLD);

        private final GuardedStore guarded = new GuardedStore(builder -> builder.deadline(A_MOMENT));
        private final MemoryStore unfailing;
        private final Limit limit;
        private final Limit demandedOf;
        private final Random random;
        private long lostAtMicros;
        private long asked;
        private long denied;
        private long admittedInFallback;

        OneNode(Limit limit, Limit demandedOf, Random random) {
            this.limit = limit;
            this.demandedOf = demandedOf;
            this.random = random;
            this.unfailing = new MemoryStore("unfailing", guarded.clock, 1_000, WhenFull.EVICT_OLDEST, 60_000_000);
        }

        void step() {
            if (random.nextInt(10) == 0) {
                changeMood(MOODS.get(random.nextInt(MOODS.size())));
            }
            guarded.clock.advance(Duration.ofMillis(random.nextLong(random.nextBoolean() ? 200 : 60_000)));
            if (guarded.store.mood != Mood.AT_ONCE
                    && guarded.clock.micros() - lostAtMicros > LONGEST_OUTAGE.toMillis() * 500) {
                changeMood(Mood.AT_ONCE);
            }
            String who = "user " + random.nextInt(3);
            long cost = 1L + random.nextInt(3);
            if (!unfailing.decide(Ask.of(charge(demandedOf, who, cost))).isAllowed()) {
                return;
            }
            asked++;
            Decision decision = decide(Ask.of(charge(limit, who, cost)));
            denied += decision.isAllowed() ? 0 : 1;
            admittedInFallback += decision.isAllowed() && decision.decidedBy() == DecidedBy.FALLBACK ? cost : 0;
        }

        private void changeMood(Mood mood) {
            if (guarded.store.mood == Mood.AT_ONCE) {
                lostAtMicros = guarded.clock.micros();
            }
            guarded.store.mood = mood;
            if (mood == Mood.AT_ONCE && random.nextBoolean()) {
                guarded.regainStore();
            }
        }

        private Decision decide(Ask ask) {
            Reply<Decision> reply = guarded.guard.decide(ask);
            if (reply.ifReady() == null
                    && !reply.whenReady().toCompletableFuture().isDone()) {
                guarded.clock.advance(A_MOMENT);
            }
            while (guarded.store.waitingCalls() > 0) { // too late
                if (random.nextBoolean()) {
                    guarded.store.answerNext();
                } else {
                    guarded.store.failNext();
                }
            }
            return GuardedStore.now(reply);
        }

        long posted() {
            return sumOf(guarded.store);
        }
    }

    private static long sumOf(ScriptedStore store) {
        return store.settles.stream()
                .map(ScriptedStore.SettleCall::actual)
                .mapToLong(actual -> actual == null ? 0 : actual.amount(Costs.REQUESTS, 0))
                .sum();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void severalNodes_denialsHaveACause(Limit limit) {
        for (int seed = 1; seed <= SEEDS; seed++) {
            SeveralNodes nodes = new SeveralNodes(limit, 4, new Random(seed));
            for (int i = 0; i < STEPS; i++) {
                nodes.step("seed " + seed + ", step " + i);
            }
        }
    }

    /** Several nodes that share one store and one key. Each node's connection to the store fails independently. */
    private static final class SeveralNodes {
        private record Admitted(long atMicros, long cost) {}

        private final ManualClock clock = new ManualClock();
        private final MemoryStore shared =
                new MemoryStore(ScriptedStore.NAME, clock, 1_000, WhenFull.EVICT_OLDEST, 60_000_000);
        private final Limit limit;
        private final Random random;
        private final List<Node> nodes = new ArrayList<>();
        private final Deque<Admitted> admitted = new ArrayDeque<>();

        SeveralNodes(Limit limit, int count, Random random) {
            this.limit = limit;
            this.random = random;
            for (int i = 0; i < count; i++) {
                nodes.add(new Node(count));
            }
        }

        void step(String where) {
            Node node = nodes.get(random.nextInt(nodes.size()));
            if (random.nextInt(20) == 0) {
                node.way.mood = Mood.AT_ONCE;
            } else if (random.nextInt(20) == 0) {
                node.lose();
            }
            clock.advance(Duration.ofMillis(random.nextLong(random.nextBoolean() ? 200 : 200_000)));
            for (Node each : nodes) {
                each.recoverInTime();
            }
            nodes.forEach(Node::listen);
            long cost = 1L + random.nextInt(2);
            boolean isFirst = node.reported < 0;
            Decision decision = node.decide(cost);
            if (decision.isAllowed()) {
                admitted.add(new Admitted(clock.micros(), cost));
            } else if (decision.decidedBy() == DecidedBy.STORE) {
                assertThat(admittedLately() + cost).as(where).isGreaterThan(limit.capacity());
            } else {
                long share = Math.min(limit.capacity(), isFirst ? limit.capacity() : node.reported) / nodes.size();
                assertThat(node.admittedInFallback() + cost).as(where).isGreaterThan(share);
            }
            for (Node each : nodes) {
                assertThat(each.posted()).as(where).isLessThanOrEqualTo(each.admittedWithoutStore);
            }
        }

        /** Returns what was admitted within two periods and an outage. */
        private long admittedLately() {
            long since =
                    clock.micros() - WINDOW.multipliedBy(2).plus(LONGEST_OUTAGE).toMillis() * 1_000;
            while (!admitted.isEmpty() && admitted.getFirst().atMicros < since) {
                admitted.removeFirst();
            }
            return admitted.stream().mapToLong(Admitted::cost).sum();
        }

        private final class Node {
            private final ScriptedStore way = new ScriptedStore(shared);
            private final Guard guard;
            private final Deque<Admitted> inFallback = new ArrayDeque<>();
            private long lostAtMicros;
            private long admittedWithoutStore;
            private long reported = -1;
            private int posts;

            Node(int count) {
                guard = Guard.builder(way)
                        .clock(clock)
                        .scheduler(clock)
                        .nodes(count)
                        .build();
            }

            void lose() {
                if (way.mood == Mood.AT_ONCE) {
                    way.mood = Mood.FAILING;
                    lostAtMicros = clock.micros();
                }
            }

            void recoverInTime() {
                if (way.mood != Mood.AT_ONCE && clock.micros() - lostAtMicros > LONGEST_OUTAGE.toMillis() * 500) {
                    way.mood = Mood.AT_ONCE;
                }
                if (way.mood == Mood.AT_ONCE) {
                    guard.decide(Ask.of(charge(GuardedStore.TEN_A_SECOND, "the unlucky", 0, FailureMode.OPEN)));
                }
            }

            /** Records a post, whose answer also reports what is left. */
            void listen() {
                if (way.settles.size() > posts) {
                    posts = way.settles.size();
                    reported = left();
                }
            }

            private long left() {
                return shared.decide(Ask.of(charge(limit, "everyone", 0)).peek())
                        .limits()
                        .get(0)
                        .remaining();
            }

            Decision decide(long cost) {
                Decision decision = GuardedStore.now(guard.decide(Ask.of(charge(limit, "everyone", cost))));
                if (decision.decidedBy() == DecidedBy.STORE) {
                    reported = left();
                    posts = way.settles.size();
                } else if (decision.isAllowed()) {
                    inFallback.add(new Admitted(clock.micros(), cost));
                    admittedWithoutStore += cost;
                }
                return decision;
            }

            /** Returns what this node admitted without the store within two periods and an outage. */
            long admittedInFallback() {
                long since = clock.micros()
                        - WINDOW.multipliedBy(2).plus(LONGEST_OUTAGE).toMillis() * 1_000;
                while (!inFallback.isEmpty() && inFallback.getFirst().atMicros < since) {
                    inFallback.removeFirst();
                }
                return inFallback.stream().mapToLong(Admitted::cost).sum();
            }

            long posted() {
                return sumOf(way);
            }
        }
    }
}
