package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.Limit;
import dev.penstock.Policy.Consistency;
import dev.penstock.Settlement;
import dev.penstock.engine.Leasing;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Nodes with separate clients that draw from one key in a real Redis at the same time. */
class RedisLeasingIT {
    private static final int NODES = 4;
    private static final int LIMIT = 40_000;
    private static final int DENIALS_IN_A_ROW = 200;
    private static final int USERS = 20;
    private static final int PER_USER = 200;

    private final Charge charge = Charge.of(
            LimitSettings.of("p", Limit.tokenBucket(LIMIT, Duration.ofDays(300)))
                    .consistency(Consistency.LEASED),
            Key.of("p", "hot"),
            1);

    private final RedisServer redis = RedisServer.start();
    private final List<Leasing> nodes = new ArrayList<>();
    private final LongAdder lapsed = new LongAdder();
    private final ExecutorService callers = Executors.newFixedThreadPool(NODES);

    @AfterEach
    void stop() {
        callers.shutdownNow();
        nodes.forEach(Leasing::close);
        redis.close();
    }

    @Test
    void manyNodes_admitExactlyTheLimit() throws Exception {
        LongAdder admitted = new LongAdder();
        LongAdder leased = new LongAdder();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            Leasing node = Leasing.builder(
                            new LapseCount(RedisEngine.builder(redis.uri()).build()))
                    .build();
            nodes.add(node);
            running.add(callers.submit(() -> {
                for (int denied = 0; denied < DENIALS_IN_A_ROW; ) {
                    Decision decision = decide(node, Ask.of(charge));
                    denied = decision.isAllowed() ? 0 : denied + 1;
                    admitted.add(decision.isAllowed() ? 1 : 0);
                    leased.add(decision.isAllowed() && decision.decidedBy() == DecidedBy.LEASE ? 1 : 0);
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        assertThat(leased.sum()).isGreaterThan(LIMIT / 2);
        assertThat(admitted.sum()).isLessThanOrEqualTo(LIMIT);
        await().untilAsserted(() -> assertThat(remaining()).isEqualTo(LIMIT - admitted.sum() - lapsed.sum()));
    }

    /** Each request is under the leased limit and under a strict one, so Redis decides a part of each. */
    @Test
    void manyNodes_withAStrictLimitInEachRequest_exceedNeither() throws Exception {
        LimitSettings strict = LimitSettings.of("users", Limit.fixedWindow(PER_USER, Duration.ofDays(300)));
        LongAdder admitted = new LongAdder();
        LongAdder denied = new LongAdder();
        List<Future<?>> running = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            Leasing node = Leasing.builder(
                            new LapseCount(RedisEngine.builder(redis.uri()).build()))
                    .build();
            nodes.add(node);
            running.add(callers.submit(() -> {
                for (int user = 0; user < USERS; user++) {
                    Charge of = Charge.of(strict, Key.of("users", "u" + user), 1);
                    for (int k = 0; k < PER_USER; k++) {
                        boolean isAllowed = decide(node, Ask.of(charge, of)).isAllowed();
                        (isAllowed ? admitted : denied).increment();
                    }
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
        assertThat(nodes.stream().mapToLong(Leasing::decidedInPart).sum()).isPositive();
        assertThat(admitted.sum()).isEqualTo(USERS * PER_USER);
        await().untilAsserted(() -> assertThat(LIMIT - remaining())
                .isBetween(admitted.sum() + lapsed.sum(), admitted.sum() + lapsed.sum() + denied.sum()));
        for (int user = 0; user < USERS; user++) {
            Ask look = Ask.of(Charge.of(strict, Key.of("users", "u" + user), 1)).peek();
            assertThat(decide(nodes.get(0), look).limits().get(0).remaining()).isZero();
        }
    }

    /**
     * Counts permits that are charged but were never spent. A busy machine may settle a lease too late, which charges
     * it whole.
     */
    private final class LapseCount extends ForwardingEngine {
        private final Map<String, Long> drawn = new ConcurrentHashMap<>();

        private LapseCount(Engine store) {
            super(store);
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            return Reply.later(super.decide(ask).whenReady().thenApply(decision -> {
                if (decision instanceof Allowed allowed && allowed.permitHandle() != null) {
                    drawn.put(allowed.permitHandle().id(), ask.charge(0).cost());
                }
                return decision;
            }));
        }

        @Override
        public Reply<Settlement> settle(String permitId, @Nullable Costs actual) {
            return Reply.later(super.settle(permitId, actual).whenReady().thenApply(settlement -> {
                if (settlement.status() != Settlement.Status.SETTLED) {
                    lapsed.add(drawn.get(permitId) - actual.amount(Costs.REQUESTS, 0));
                }
                return settlement;
            }));
        }
    }

    private long remaining() {
        return decide(nodes.get(0), Ask.of(charge).peek()).limits().get(0).remaining();
    }

    private static Decision decide(Engine engine, Ask ask) {
        return engine.decide(ask).whenReady().toCompletableFuture().join();
    }
}
