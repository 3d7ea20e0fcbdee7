package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.engine.Guard;
import dev.penstock.engine.StoreOutageEvent;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * A guard over a Cluster of three nodes. One shard dies, and the others are not affected. On real servers, under load.
 */
class RedisClusterShardsIT {
    private static final Duration DEADLINE = Duration.ofMillis(500);
    private static final Duration FOREVER = Duration.ofDays(300);
    private static final int CAPACITY = 1_000_000;
    private static final int ENOUGH = 200;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final KeyNames NAMES = new KeyNames("p1");
    private static final LimitSettings TERMS =
            LimitSettings.of("api", Limit.tokenBucket(CAPACITY, FOREVER)).onStoreFailure(FailureMode.CLOSED);

    private final List<StoreOutageEvent> events = new CopyOnWriteArrayList<>();
    private final RedisCluster cluster =
            RedisCluster.start("--cluster-node-timeout", "60000", "--cluster-require-full-coverage", "no");

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** One user whose account is on a given server, and a thread that sends asks for it. */
    private static final class Caller implements Runnable {
        private final Guard guard;
        private final Ask ask;
        private final AtomicBoolean isStopped;
        private final LongAdder byStore = new LongAdder();
        private final LongAdder byOthers = new LongAdder();

        Caller(Guard guard, Ask ask, AtomicBoolean isStopped) {
            this.guard = guard;
            this.ask = ask;
            this.isStopped = isStopped;
        }

        @Override
        public void run() {
            while (!isStopped.get()) {
                (decide(guard, ask).decidedBy() == DecidedBy.STORE ? byStore : byOthers).increment();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    @Test
    void shardKilled_onlyItsKeysAreDecidedByTheirFailureMode() {
        assertOthersGoOn(RedisServer::kill, RedisServer::restart);
    }

    @Test
    void shardStopped_onlyItsKeysAreDecidedByTheirFailureMode() {
        assertOthersGoOn(RedisServer::pause, RedisServer::resume);
    }

    private void assertOthersGoOn(Consumer<RedisServer> strike, Consumer<RedisServer> heal) {
        AtomicBoolean isStopped = new AtomicBoolean();
        try (Guard guard = guard()) {
            RedisServer doomed = cluster.nodes().get(1);
            List<Caller> callers = new ArrayList<>();
            List<CompletableFuture<Void>> running = new ArrayList<>();
            for (RedisServer server : cluster.nodes()) {
                Caller caller = new Caller(guard, Ask.of(chargeOn(server, "load")), isStopped);
                callers.add(caller);
                running.add(CompletableFuture.runAsync(caller, task -> new Thread(task, "load").start()));
            }
            Caller struck = callers.get(1);
            List<Caller> others = List.of(callers.get(0), callers.get(2));
            await(() -> callers.stream().allMatch(each -> each.byStore.sum() > ENOUGH));
            assertThat(guard.isInFallback()).isFalse();

            strike.accept(doomed);
            await(() -> guard.isInFallback() && struck.byOthers.sum() > ENOUGH);
            List<Long> before = others.stream().map(each -> each.byStore.sum()).toList();
            await(() -> others.get(0).byStore.sum() > before.get(0) + ENOUGH
                    && others.get(1).byStore.sum() > before.get(1) + ENOUGH);
            assertThat(guard.shardsInFallback()).containsExactly("redis at 127.0.0.1:" + doomed.port());
            assertThat(guard.health().breaker()).isEqualTo(Guard.Breaker.OPEN);

            heal.accept(doomed);
            long since = struck.byStore.sum();
            await(() -> !guard.isInFallback() && struck.byStore.sum() > since + ENOUGH);
            isStopped.set(true);
            running.forEach(CompletableFuture::join);
            assertThat(others)
                    .allSatisfy(each -> assertThat(each.byOthers.sum()).isZero());
            assertThat(events)
                    .extracting(StoreOutageEvent::store)
                    .containsExactly("redis at 127.0.0.1:" + doomed.port(), "redis at 127.0.0.1:" + doomed.port());
            assertThat(events.get(0)).isInstanceOf(StoreOutageEvent.Entered.class);
            assertThat(events.get(1)).isInstanceOf(StoreOutageEvent.Left.class);
        } finally {
            isStopped.set(true);
        }
    }

    @Test
    void requestSpansAStoppedShard_failureModeDecidesAndTheLiveShardIsNotCharged() {
        RedisServer doomed = cluster.nodes().get(2);
        Charge dead = chargeOn(doomed, "spanning");
        Charge live = chargeOn(cluster.nodes().get(0), "spanning");
        try (RedisEngine engine = engine();
                Guard guard = guard()) {
            awaitStore(guard, Ask.of(dead, live));
            Awaitility.await().until(() -> isNothingHeld(engine, live));
            long remaining = remaining(engine, live);
            doomed.pause();
            try {
                for (int i = 0; i < 10; i++) { // while the shard is not given up yet
                    assertThat(decide(guard, Ask.of(dead, live)).decidedBy()).isEqualTo(DecidedBy.FALLBACK);
                }
                await(guard::isInFallback);
                for (int i = 0; i < 10; i++) {
                    assertThat(decide(guard, Ask.of(dead, live)).decidedBy()).isEqualTo(DecidedBy.FALLBACK);
                }
                await(() -> isNothingHeld(engine, live));
                assertThat(remaining(engine, live)).isEqualTo(remaining);
                assertThat(decide(guard, Ask.of(live)).decidedBy()).isEqualTo(DecidedBy.STORE);
            } finally {
                doomed.resume();
            }
            awaitStore(guard, Ask.of(dead, live));
        }
    }

    @Test
    void permits_ofADeadShardArePending_othersAreSettled() {
        RedisServer doomed = cluster.nodes().get(1);
        Hold hour = Hold.of(Duration.ofHours(1));
        Charge dead = chargeOn(doomed, "permits");
        Charge live = chargeOn(cluster.nodes().get(2), "permits");
        try (RedisEngine engine = engine();
                Guard guard = guard()) {
            awaitStore(guard, Ask.of(dead).peek());
            PermitHandle deadGrant = grant(decide(guard, Ask.of(dead).hold(hour)));
            PermitHandle liveGrant = grant(decide(guard, Ask.of(live).hold(hour)));
            doomed.pause();
            try {
                await(() -> {
                    decide(guard, Ask.of(dead));
                    return guard.isInFallback();
                });
                assertThat(settle(guard, deadGrant)).isEqualTo(Settlement.Status.PENDING);
                assertThat(settle(guard, liveGrant)).isEqualTo(Settlement.Status.SETTLED);
            } finally {
                doomed.resume();
            }
            await(() -> guard.stats().waitingSettlements() == 0);
            await(() -> isNothingHeld(engine, dead));
            assertThat(guard.stats().lostSettlements()).isZero();
        }
    }

    @Test
    void unbatchedAsks_manyWaitForADeadShard_othersAreSent() {
        RedisServer doomed = cluster.nodes().get(1);
        LimitSettings log = LimitSettings.of("log", Limit.slidingLog(1_000, FOREVER));
        Charge dead = chargeOn(doomed, "many").on(log);
        Charge live = chargeOn(cluster.nodes().get(0), "many");
        try (RedisEngine engine = engine()) {
            doomed.pause();
            try {
                for (int i = 0; i < 2 * UnbatchedAsks.MOST_UNDER_WAY; i++) {
                    engine.decide(Ask.of(dead).hold(Hold.of(Duration.ofMinutes(1))));
                }
                CompletableFuture<Decision> other = engine.decide(Ask.of(live).hold(Hold.of(Duration.ofMinutes(1))))
                        .whenReady()
                        .toCompletableFuture();
                assertThat(other).succeedsWithin(Duration.ofSeconds(2));
            } finally {
                doomed.resume();
            }
        }
    }

    @Test
    void markReturn_isOnTheShardThatCameBack() {
        RedisServer fleetHome = cluster.ownerOf(Slots.of(NAMES.nodes()));
        RedisServer other = cluster.nodes().stream()
                .filter(each -> each != fleetHome)
                .findFirst()
                .orElseThrow();
        try (RedisEngine engine = engine()) {
            String shard = Objects.requireNonNull(engine.sharding())
                    .shardsOf(Ask.of(chargeOn(other, "mark")))
                    .iterator()
                    .next();
            fleetHome.pause();
            try {
                assertThat(engine.fleet().agreeOnReturn(shard, Duration.ofSeconds(10)))
                        .succeedsWithin(Duration.ofSeconds(10));
            } finally {
                fleetHome.resume();
            }
        }
    }

    private RedisEngine engine() {
        return RedisEngine.builder(cluster.nodes().stream()
                        .map(node -> "127.0.0.1:" + node.port())
                        .collect(Collectors.joining(",", "redis-cluster://", "")))
                .build();
    }

    private Guard guard() {
        return Guard.builder(engine()).deadline(DEADLINE).listener(events::add).build();
    }

    private Charge chargeOn(RedisServer server, String name) {
        for (int i = 0; ; i++) {
            Charge charge = Charge.of(TERMS, Key.of("api", name + i), 1);
            if (cluster.ownerOf(Slots.of(NAMES.state(charge))) == server) {
                return charge;
            }
        }
    }

    private static boolean isNothingHeld(RedisEngine engine, Charge charge) {
        return engine.inspect(charge).toCompletableFuture().join().permits() == 0;
    }

    private static long remaining(RedisEngine engine, Charge charge) {
        return decide(engine, Ask.of(charge).peek()).limits().get(0).remaining();
    }

    private static PermitHandle grant(Decision decision) {
        return Objects.requireNonNull(((Allowed) decision).permitHandle());
    }

    private static Settlement.Status settle(Guard guard, PermitHandle grant) {
        return guard.settle(grant.id(), null)
                .whenReady()
                .toCompletableFuture()
                .join()
                .status();
    }

    private static void awaitStore(Guard guard, Ask ask) {
        await(() -> decide(guard, ask).decidedBy() == DecidedBy.STORE && !guard.isInFallback());
    }

    private static void await(Callable<Boolean> until) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(until);
    }

    private static Decision decide(Engine engine, Ask ask) {
        return engine.decide(ask).whenReady().toCompletableFuture().join();
    }
}
