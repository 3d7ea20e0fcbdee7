package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.engine.Guard;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.NewKeyListener;
import dev.penstock.spi.Reply;
import dev.penstock.spi.Sharding;
import dev.penstock.spi.StoreLoad;
import dev.penstock.spi.TripObserver;
import dev.penstock.testkit.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the metrics of each server of a store, and of each policy that creates keys there. */
class StoreMetersShardsTest {
    private static final long MEGABYTE = 1 << 20;

    private final ManualClock clock = new ManualClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final StoreMeters meters = new StoreMeters(registry, clock);

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void load_isReportedByServer_untilItIsStale() {
        meters.onLoad("a:1", new StoreLoad(MEGABYTE, 4 * MEGABYTE, StoreLoad.Bound.MACHINE, 500_000));
        meters.onLoad("a:1", new StoreLoad(3 * MEGABYTE, 4 * MEGABYTE, StoreLoad.Bound.SETTING, 1_500_000));

        assertThat(gauge("rate.limiter.redis.memory.used", "shard", "a:1")).isEqualTo(3 * MEGABYTE);
        assertThat(gauge("rate.limiter.redis.memory.max", "shard", "a:1")).isEqualTo(4 * MEGABYTE);
        assertThat(gauge("rate.limiter.redis.maxmemory.set", "shard", "a:1")).isEqualTo(1);
        assertThat(count("rate.limiter.redis.cpu", "shard", "a:1")).isEqualTo(1.5);
        clock.advance(Duration.ofSeconds(61));
        assertThat(gauge("rate.limiter.redis.memory.used", "shard", "a:1")).isNaN();
    }

    @Test
    void loads_areBounded() {
        for (int i = 0; i < 500; i++) {
            meters.onLoad("a:" + i, new StoreLoad(1, 2, StoreLoad.Bound.SETTING, 0));
        }

        assertThat(registry.get("rate.limiter.redis.memory.used").gauges()).hasSize(100);
    }

    @Test
    void newKeys_areCountedByPolicy_andBounded() {
        NewKeyListener keys = meters.newKeys();
        meters.mute();
        keys.onNewKey("api");
        meters.unmute();
        keys.onNewKey("api");
        keys.onNewKey("api");
        keys.onDenied("api");
        keys.onSkipped("api");
        for (int i = 0; i < 2_000; i++) {
            keys.onNewKey("p" + i);
        }

        assertThat(count("rate.limiter.new.keys", "policy", "api")).isEqualTo(2);
        assertThat(count("rate.limiter.new.keys.denied", "policy", "api")).isEqualTo(1);
        assertThat(count("rate.limiter.new.keys.skipped", "policy", "api")).isEqualTo(1);
        assertThat(count("rate.limiter.new.keys", "policy", "(others)")).isEqualTo(1_001);
    }

    /** A store with two shards, one of which is down. */
    private static final class Shards extends ForwardingEngine implements Sharding {
        private @Nullable TripObserver observer;

        Shards(Engine inner) {
            super(inner);
        }

        @Override
        public Reply<Decision> decide(Ask ask) {
            TripObserver told = observer;
            if (told != null && shardsOf(ask).contains("b")) {
                IllegalStateException away = new IllegalStateException("away");
                told.failed("b", away);
                throw away;
            }
            return super.decide(ask);
        }

        @Override
        public boolean observeTrips(Duration lateAfter, TripObserver observer) {
            this.observer = observer;
            return true;
        }

        @Override
        public Sharding sharding() {
            return this;
        }

        @Override
        public Set<String> shardsOf(Ask ask) {
            return ask.size() == 0
                    ? Set.of("a")
                    : Set.of(ask.charge(0).key().values().get(0));
        }

        @Override
        public Set<String> shardsOfPermit(String permitId) {
            return Set.of("a");
        }

        @Override
        public @Nullable String colocationOn(String shard) {
            return shard;
        }

        @Override
        public String addressOf(String shard) {
            return shard + ":1";
        }
    }

    @Test
    void shardInFallback_isReportedByServer() {
        Guard guard = Guard.builder(
                        new Shards(MemoryEngine.builder().clock(clock).build()))
                .clock(clock)
                .scheduler(clock)
                .listener(meters)
                .build();
        meters.of(guard);
        meters.onTrip("a:1", 100);
        Policy policy = Policy.named("users").limit(Limit.tokenBucket(300, Duration.ofDays(1)), "user");
        try (Limiter limiter =
                Limiter.builder(Policy.setOf(policy)).engine(guard).build()) {
            for (int i = 0; i < 20; i++) {
                limiter.decide(Request.of("user", "a"));
                limiter.decide(Request.of("user", "b"));
                clock.advance(Duration.ofMillis(50));
            }

            assertThat(guard.shardsInFallback()).containsExactly("memory at b:1");
            assertThat(gauge("rate.limiter.shard.fallback.active", "shard", "a:1"))
                    .isZero();
            assertThat(gauge("rate.limiter.shard.fallback.active", "shard", "b:1"))
                    .isEqualTo(1);
        }
    }
}
