package dev.penstock.engine;

import static dev.penstock.engine.GuardedStore.TEN_A_SECOND;
import static dev.penstock.engine.GuardedStore.charge;
import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Decision;
import dev.penstock.Decision.DecidedBy;
import dev.penstock.FailureMode;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.NotCharged;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Sharding;
import dev.penstock.spi.TripObserver;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A guard around a store with several shards, each of which is given up independently. */
class GuardShardsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Limit DAILY = Limit.fixedWindow(100, Duration.ofDays(1));

    private final ManualClock clock = new ManualClock();
    private final ShardedStore store = new ShardedStore(clock);
    private final List<StoreOutageEvent> events = new ArrayList<>();
    private final Guard guard = Guard.builder(store)
            .clock(clock)
            .scheduler(clock)
            .deadline(GuardedStore.DEADLINE)
            .listener(events::add)
            .build();

    /** A memory engine that uses the colocation of a charge as its shard. Dead shards do not answer. */
    private static final class ShardedStore extends ForwardingEngine implements Sharding {
        private final ManualClock clock;
        private final Set<String> dead = new HashSet<>();
        private final Map<String, String> movedTo = new HashMap<>();
        private final Map<String, Set<String>> permits = new HashMap<>();
        private @Nullable TripObserver observer;
        private boolean isConnected = true;
        private int asked;

        ShardedStore(ManualClock clock) {
            super(MemoryEngine.builder().clock(clock).build());
            this.clock = clock;
        }

        @Override
        public Sharding sharding() {
            return this;
        }

        @Override
        public Set<String> shardsOf(Ask ask) {
            Set<String> shards = new LinkedHashSet<>();
            for (Charge each : ask.charges()) {
                String home = each.colocation() == null ? "a" : each.colocation();
                if (isConnected) {
                    shards.add(movedTo.getOrDefault(home, home));
                }
            }
            return shards;
        }

        @Override
        public Set<String> shardsOfPermit(String permitId) {
            return permits.getOrDefault(permitId, Set.of());
        }

        @Override
        public @Nullable String colocationOn(String shard) {
            return movedTo.containsKey(shard) || !List.of("a", "b", "c").contains(shard) || !isConnected ? null : shard;
        }

        @Override
        public String addressOf(String shard) {
            return "host-" + shard;
        }

        @Override
        public boolean observeTrips(Duration lateAfter, TripObserver other) {
            observer = other;
            return true;
        }

        /** Bypasses the guard, and answers even for dead shards. */
        Reply<Decision> passedDirectly(Ask ask) {
            return super.decide(ask);
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            asked++;
            TripObserver reports = GuardedStore.present(observer);
            if (!isConnected) {
                NotCharged failure = NotCharged.noConnection("not connected");
                reports.failed("none", failure);
                return Reply.later(CompletableFuture.failedFuture(failure));
            }
            boolean isAnswered = true;
            for (String shard : shardsOf(ask)) {
                if (dead.contains(shard)) {
                    isAnswered = false;
                    clock.after(GuardedStore.DEADLINE, () -> reports.late(shard));
                } else {
                    reports.answered(shard);
                }
            }
            if (!isAnswered) {
                return Reply.later(new CompletableFuture<>());
            }
            Decision decision = GuardedStore.present(super.decide(ask).ifReady());
            if (decision instanceof Allowed allowed && allowed.permitHandle() != null) {
                permits.put(allowed.permitHandle().id(), shardsOf(ask));
            }
            return decision;
        }
    }

    private static Ask on(String... shards) {
        return Ask.of(List.of(shards).stream()
                .map(shard -> charge(TEN_A_SECOND, "user-" + shard, 1, FailureMode.CLOSED)
                        .colocation(shard))
                .toList());
    }

    /** Stops the shard, and sends asks to it until it is given up. */
    private void lose(String shard) {
        store.dead.add(shard);
        for (int i = 0; i < 200 && guard.shardsInFallback().stream().noneMatch(each -> each.endsWith(shard)); i++) {
            guard.decide(on(shard));
            clock.advance(GuardedStore.DEADLINE);
        }
        assertThat(guard.shardsInFallback()).contains(nameOf(shard));
    }

    private void regain(String shard) {
        store.dead.remove(shard);
        for (int i = 0; i < 10_000 && guard.shardsInFallback().contains(nameOf(shard)); i++) {
            clock.advance(Duration.ofMillis(1));
        }
        assertThat(guard.shardsInFallback()).doesNotContain(nameOf(shard));
    }

    private String nameOf(String shard) {
        return store.name() + " at host-" + shard;
    }

    private DecidedBy decidedBy(Ask ask) {
        return GuardedStore.now(guard.decide(ask)).decidedBy();
    }

    @Test
    void shardDead_othersAreAlwaysAsked() {
        store.dead.add("a");
        for (int i = 0; i < 300; i++) {
            guard.decide(on("a"));
            assertThat(decidedBy(on("b"))).isEqualTo(DecidedBy.STORE);
            clock.advance(GuardedStore.DEADLINE);
        }
        assertThat(guard.shardsInFallback()).containsExactly(nameOf("a"));
        assertThat(decidedBy(on("a"))).isEqualTo(DecidedBy.FALLBACK);
        assertThat(guard.health().breaker()).isEqualTo(Guard.Breaker.OPEN);
    }

    @Test
    void shardBack_isAskedAgain_eventsNameIt() {
        guard.decide(on("b"));
        lose("a");
        regain("a");
        assertThat(decidedBy(on("a"))).isEqualTo(DecidedBy.STORE);
        assertThat(guard.isInFallback()).isFalse();
        assertThat(events).extracting(StoreOutageEvent::store).containsExactly(nameOf("a"), nameOf("a"));
        assertThat(events.get(1)).isInstanceOf(StoreOutageEvent.Left.class);
    }

    @Test
    void requestSpansADeadShard_storeIsNotAsked() {
        lose("a");
        int before = store.asked;
        assertThat(decidedBy(on("a", "b"))).isEqualTo(DecidedBy.FALLBACK);
        assertThat(store.asked).isEqualTo(before);
        assertThat(decidedBy(on("b", "c"))).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void requestSpansADeadShard_decidedByShares_isPostedToTheLiveShard() {
        Charge dead = charge(DAILY, "ann", 1).colocation("a");
        Charge live = charge(DAILY, "bob", 1).colocation("b");
        lose("a");
        assertThat(GuardedStore.now(guard.decide(Ask.of(dead, live))).isAllowed())
                .isTrue();
        for (int i = 0; i < 30; i++) {
            guard.decide(Ask.of(dead, live));
            clock.advance(SECOND);
        }
        clock.advance(SECOND.multipliedBy(5));
        assertThat(guard.isInFallback()).isTrue();
        assertThat(remaining(live)).isEqualTo(69);
        assertThat(remaining(dead)).isEqualTo(100);
        regain("a");
        clock.advance(SECOND.multipliedBy(5));
        assertThat(remaining(dead)).isEqualTo(69);
    }

    private long remaining(Charge charge) {
        Decision peeked =
                GuardedStore.present(store.passedDirectly(Ask.of(charge).peek()).ifReady());
        return peeked.limits().get(0).remaining();
    }

    @Test
    void permits_ofADeadShardAreQueued_othersAreSettled() {
        Hold hold = Hold.of(Duration.ofHours(1));
        String dead = GuardedStore.grantOf(GuardedStore.now(guard.decide(on("a").hold(hold))))
                .id();
        String live = GuardedStore.grantOf(GuardedStore.now(guard.decide(on("b").hold(hold))))
                .id();
        lose("a");
        assertThat(settled(dead)).isEqualTo(Settlement.Status.PENDING);
        assertThat(settled(live)).isEqualTo(Settlement.Status.SETTLED);
        clock.advance(SECOND.multipliedBy(5));
        assertThat(guard.stats().waitingSettlements()).isEqualTo(1);
        regain("a");
        clock.advance(SECOND);
        assertThat(guard.stats().waitingSettlements()).isZero();
    }

    private Settlement.Status settled(String permitId) {
        return GuardedStore.present(guard.settle(permitId, null).ifReady()).status();
    }

    @Test
    void shardVanishes_itsOutageEndsAndAnotherShardIsAsked() {
        lose("a");
        store.movedTo.put("a", "b");
        clock.advance(SECOND);
        assertThat(guard.isInFallback()).isFalse();
        assertThat(decidedBy(on("a"))).isEqualTo(DecidedBy.STORE);
        assertThat(events).hasSize(2);
        assertThat(events.get(1)).isInstanceOf(StoreOutageEvent.Left.class);
    }

    @Test
    void shardsUnknown_wholeStoreIsGivenUp_untilTheyAreKnown() {
        store.isConnected = false;
        for (int i = 0; i < 200 && !guard.isInFallback(); i++) {
            guard.decide(on("a"));
            clock.advance(GuardedStore.DEADLINE);
        }
        assertThat(guard.shardsInFallback()).containsExactly(store.name());
        store.isConnected = true;
        clock.advance(SECOND);
        assertThat(guard.isInFallback()).isFalse();
        assertThat(decidedBy(on("a"))).isEqualTo(DecidedBy.STORE);
    }

    @Test
    void twoShardsAwayAtOnce_timeCountsOnce() {
        lose("a");
        lose("b");
        assertThat(guard.shardsInFallback()).containsExactly(nameOf("a"), nameOf("b"));
        Duration before = guard.health().inFallback();
        clock.advance(SECOND);
        assertThat(guard.health().inFallback()).isEqualTo(before.plus(SECOND));
        assertThat(guard.health().fallbacks()).isEqualTo(2);
        regain("a");
        assertThat(guard.isInFallback()).isTrue();
        regain("b");
        assertThat(guard.isInFallback()).isFalse();
    }
}
