package dev.penstock.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Denied;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.LimitStatus;
import dev.penstock.Policy.Consistency;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Enforcement;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.InterceptingEngine;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.TestSeed;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Leases decide a part of a request, and the store decides the rest. */
class LeasingMixedTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final int LIMIT = 20_000;
    private static final int NODES = 4;

    private final ManualClock clock = new ManualClock();
    private final Store store = new Store(MemoryEngine.builder().clock(clock).build());
    private final LimitSettings hot =
            settings("hot", Limit.tokenBucket(LIMIT, YEAR)).consistency(Consistency.LEASED);
    private final LimitSettings user = settings("user", Limit.fixedWindow(30, YEAR));
    private final LimitSettings slots = settings("slots", Limit.concurrency(2, Duration.ofMinutes(1)));
    private final LimitSettings queue = settings("queue", Limit.leakyBucket(1, Duration.ofSeconds(1), 5));
    private final LimitSettings watched =
            settings("watched", Limit.tokenBucket(1, YEAR)).enforcement(Enforcement.SHADOW);
    private final Leasing node = node();

    /** The store. Its answers wait for {@link #answerAll} while it is late. Fails on demand, before or after it acts. */
    private static final class Store extends InterceptingEngine {
        private final List<Ask> asks = new ArrayList<>();
        private final Deque<Runnable> answers = new ArrayDeque<>();
        private boolean isLate;
        private @Nullable RuntimeException before;
        private @Nullable RuntimeException after;

        Store(Engine inner) {
            super(inner);
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            if (ask.hold() != null) {
                return inner.decide(ask); // a draw
            }
            asks.add(ask);
            if (before != null) {
                return Reply.later(CompletableFuture.failedFuture(before));
            }
            Reply<Decision> reply = inner.decide(ask);
            if (after != null) {
                return Reply.later(CompletableFuture.failedFuture(after));
            } else if (!isLate) {
                return reply;
            }
            CompletableFuture<Decision> answer = new CompletableFuture<>();
            answers.add(() -> answer.complete(reply.ifReady()));
            return Reply.later(answer);
        }

        void answerAll() {
            while (!answers.isEmpty()) {
                answers.remove().run();
            }
        }
    }

    private Leasing node() {
        return Leasing.builder(store).clock(clock).scheduler(clock).build();
    }

    private static LimitSettings settings(String policy, Limit limit) {
        return LimitSettings.of(policy, limit);
    }

    private static Charge charge(LimitSettings settings, String key) {
        return Charge.of(settings, Key.of(settings.policy(), key), 1);
    }

    private Ask mixed(LimitSettings other) {
        return Ask.of(charge(hot, "all"), charge(other, "ann"));
    }

    private static Decision decide(Engine engine, Ask ask) {
        Decision decision = engine.decide(ask).ifReady();
        if (decision == null) {
            throw new AssertionError("the store answers at once");
        }
        return decision;
    }

    private void heat() {
        for (int i = 0; i < 200; i++) {
            assertThat(decide(node, Ask.of(charge(hot, "all"))).isAllowed()).isTrue();
        }
        assertThat(node.held().get("hot")).isPositive();
        store.asks.clear();
    }

    private long left(LimitSettings settings, String key) {
        return decide(store, Ask.of(charge(settings, key)).peek())
                .limits()
                .get(0)
                .remaining();
    }

    private void endLeases() {
        clock.advance(Duration.ofSeconds(1));
    }

    private static List<String> policies(Decision decision) {
        return decision.limits().stream().map(LimitStatus::policy).toList();
    }

    @Test
    void leasedPart_isSpentHere_andTheStoreDecidesTheRest() {
        heat();
        long held = node.held().get("hot");

        Decision decision = decide(node, mixed(user));

        assertThat(decision.isAllowed()).isTrue();
        assertThat(decision.decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(policies(decision)).containsExactly("hot", "user");
        assertThat(decision.limits().get(0).remaining()).isPositive();
        assertThat(decision.limits().get(1).remaining()).isEqualTo(29);
        assertThat(store.asks).hasSize(1);
        assertThat(store.asks.get(0).charges()).containsExactly(charge(user, "ann"));
        assertThat(node.held().get("hot")).isEqualTo(held - 1);
        assertThat(node.decidedInPart()).isEqualTo(1);
        endLeases();
        assertThat(left(hot, "all")).isEqualTo(LIMIT - 201);
    }

    @Test
    void permitAndDelayOfTheRest_areKept_andTheShadowTravelsWithIt() {
        heat();
        Allowed first =
                (Allowed) decide(node, Ask.of(charge(slots, "ann"), charge(hot, "all"), charge(watched, "ann")));
        PermitHandle permit = first.permitHandle();
        assertThat(permit).isNotNull();
        assertThat(policies(first)).containsExactly("slots", "hot", "watched");
        assertThat(left(slots, "ann")).isEqualTo(1);

        decide(node, mixed(queue));
        assertThat(((Allowed) decide(node, mixed(queue))).delay()).isEqualTo(Duration.ofSeconds(1));

        Decision again = decide(node, mixed(watched));
        assertThat(again.isAllowed()).isTrue();
        assertThat(again.shadowDenials()).hasSize(1);
        assertThat(store.asks)
                .allMatch(ask -> ask.charges().stream()
                        .noneMatch(charge -> charge.settings().policy().equals("hot")));
    }

    @Test
    void denialOfTheRest_putsTheLeasedPermitsBack() {
        heat();
        long held = node.held().get("hot");
        decide(node, mixed(slots));
        decide(node, mixed(slots));

        Decision denied = decide(node, mixed(slots));

        assertThat(denied).isInstanceOf(Denied.class);
        assertThat(denied.decidedBy()).isEqualTo(DecidedBy.STORE);
        assertThat(denied.binding().policy()).isEqualTo("slots");
        assertThat(denied.limits()).extracting(LimitStatus::isExceeded).containsExactly(false, true);
        assertThat(node.held().get("hot")).isEqualTo(held - 2);
        endLeases();
        assertThat(left(hot, "all")).isEqualTo(LIMIT - 202);
    }

    @Test
    void denialAfterTheLeaseEnded_leavesThePermitSpent() {
        heat();
        decide(store, Ask.of(charge(slots, "ann")));
        decide(store, Ask.of(charge(slots, "ann")));
        store.isLate = true;
        CompletableFuture<Decision> answer =
                node.decide(mixed(slots)).whenReady().toCompletableFuture();
        endLeases();
        store.answerAll();

        assertThat(answer.join().isAllowed()).isFalse();
        store.isLate = false;
        assertThat(left(hot, "all")).isEqualTo(LIMIT - 201);
    }

    @Test
    void restThatWasNotCharged_putsThePermitsBack_butOneThatMayBeChargedDoesNot() {
        heat();
        long held = node.held().get("hot");
        store.before = NotCharged.noConnection("none");
        assertThat(node.decide(mixed(user)).whenReady()).isCompletedExceptionally();
        assertThat(node.held().get("hot")).isEqualTo(held);

        store.before = null;
        store.after = new IllegalStateException("the answer is lost");
        assertThat(node.decide(mixed(user)).whenReady()).isCompletedExceptionally();
        assertThat(node.held().get("hot")).isEqualTo(held - 1);
    }

    @Test
    void leaseWithTooFewPermits_leavesEverythingToTheStore() {
        heat();
        long held = node.held().get("hot");
        Ask large = Ask.of(charge(hot, "all").at(held + 1), charge(user, "ann"));

        assertThat(decide(node, large).isAllowed()).isTrue();
        assertThat(store.asks).containsExactly(large);
        assertThat(left(user, "ann")).isEqualTo(29);
    }

    /** Per millisecond, 50 requests of somebody without a free slot and one of somebody else, under 1,000 per second. */
    @Test
    void deniedRequests_takeNothingFromOthers() {
        LimitSettings everybody = settings("everybody", Limit.tokenBucket(1_000, Duration.ofSeconds(1)))
                .consistency(Consistency.LEASED);
        decide(store, Ask.of(charge(slots, "ann")));
        decide(store, Ask.of(charge(slots, "ann")));
        store.isLate = true;
        int[] outcomes = new int[2];
        for (int i = 0; i < 5_000; i++) {
            for (int j = 0; j < 50; j++) {
                var unused = node.decide(Ask.of(charge(everybody, "all"), charge(slots, "ann")));
            }
            if (i % 3 != 0) {
                node.decide(Ask.of(charge(everybody, "all")))
                        .whenReady()
                        .thenAccept(decision -> outcomes[decision.isAllowed() ? 1 : 0]++);
            }
            clock.advance(Duration.ofMillis(1));
            if (i % 2 != 0) {
                store.answerAll();
            }
        }
        store.answerAll();

        assertThat(node.decidedInPart()).isZero();
        assertThat(node.decided()).isPositive();
        assertThat(outcomes).containsExactly(0, 3_333);
    }

    @Test
    void skipped_countsTheReasons() {
        heat();
        decide(node, mixed(user));
        decide(node, mixed(slots));
        decide(node, mixed(queue));
        decide(node, mixed(watched));
        decide(node, Ask.of(charge(hot, "all")).id("request"));
        decide(node, Ask.of(charge(hot, "all"), charge(user, "ann")).hold(Hold.of(Duration.ofMinutes(1))));
        decide(node, mixed(user).peek());
        decide(node, Ask.of(charge(user, "ann")));

        assertThat(node.skipped())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "strict",
                        1L,
                        "concurrency",
                        1L,
                        "leaky_bucket",
                        1L,
                        "shadow",
                        1L,
                        "id",
                        1L,
                        "hold",
                        1L,
                        "other",
                        0L));
    }

    /**
     * Random requests on several nodes. No limit ever exceeds what it admits, and in the end the store has charged
     * exactly what was admitted, except for denials whose lease ended before their answer came.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void randomRequests_chargeExactlyWhatIsAdmitted(boolean isLate) {
        long seed = TestSeed.printed("mixed leases, late answers: " + isLate);
        SplittableRandom random = new SplittableRandom(seed);
        List<Leasing> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(node());
        }
        store.isLate = isLate;
        Map<Key, Long> admitted = new HashMap<>();
        long[] denied = {0};
        Map<String, PermitHandle> permits = new HashMap<>();
        int asked = 3 * LIMIT / 2;
        for (int i = 0; i < asked; i++) {
            Leasing at = nodes.get(random.nextInt(NODES));
            Ask ask = randomAsk(random);
            at.decide(ask).whenReady().thenAccept(decision -> {
                if (decision instanceof Allowed allowed) {
                    for (Charge charge : ask.charges()) {
                        admitted.merge(charge.key(), charge.cost(), Long::sum);
                    }
                    PermitHandle permit = allowed.permitHandle();
                    if (permit != null) {
                        permits.put(permit.id(), permit);
                    }
                } else if (ask.size() > 1) {
                    denied[0]++;
                }
            });
            clock.advance(Duration.ofNanos(1_000L * random.nextInt(500)));
            if (random.nextInt(20) == 0) {
                store.answerAll();
            }
            if (random.nextInt(3) == 0 && !permits.isEmpty()) {
                String any = permits.keySet().iterator().next();
                permits.remove(any);
                at.settle(any, Costs.NONE);
            }
        }
        store.answerAll();
        endLeases();
        store.isLate = false;

        long charged = LIMIT - left(hot, "all");
        long hotAdmitted = admitted.getOrDefault(Key.of("hot", "all"), 0L);
        assertThat(hotAdmitted).as("seed %d", seed).isBetween(LIMIT / 2L, (long) LIMIT);
        assertThat(charged).as("seed %d", seed).isBetween(hotAdmitted, hotAdmitted + (isLate ? denied[0] : 0));
        for (int i = 0; i < 20; i++) {
            String key = "u" + i;
            assertThat(30 - left(user, key))
                    .as("seed %d, %s", seed, key)
                    .isEqualTo(admitted.getOrDefault(Key.of("user", key), 0L));
        }
        assertThat(nodes.stream().mapToLong(Leasing::decidedInPart).sum())
                .as("seed %d", seed)
                .isPositive();
    }

    private Ask randomAsk(SplittableRandom random) {
        List<Charge> charges = new ArrayList<>(List.of(charge(hot, "all")));
        if (random.nextInt(10) == 0) {
            charges.add(random.nextInt(charges.size() + 1), charge(user, "u" + random.nextInt(20)));
        }
        if (random.nextInt(10) == 0) {
            charges.add(random.nextInt(charges.size() + 1), charge(slots, "s" + random.nextInt(3)));
        }
        if (random.nextInt(10) == 0) {
            charges.add(random.nextInt(charges.size() + 1), charge(watched, "w"));
        }
        return Ask.of(charges);
    }
}
