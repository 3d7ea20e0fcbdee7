package dev.penstock.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.engine.DenyCache;
import dev.penstock.engine.Guard;
import dev.penstock.engine.Leasing;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.spi.Ask;
import dev.penstock.spi.ForwardingEngine;
import dev.penstock.spi.Reply;
import dev.penstock.spi.TripListener.Kind;
import dev.penstock.testkit.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreMetersTest {
    private final ManualClock clock = new ManualClock();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final StoreMeters meters = new StoreMeters(registry, clock);
    private boolean isDown;

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    @Test
    void tripsAndFailures_areReported() {
        meters.onTrip("a:1", 1_500);
        meters.onTrip("a:1", 500);
        meters.onBatch(7);
        meters.onFailure(Kind.CONNECTION);
        meters.onFailure(Kind.TIMEOUT);

        assertThat(registry.get("rate.limiter.redis.latency.ms").summary().totalAmount())
                .isEqualTo(2);
        assertThat(registry.get("rate.limiter.redis.latency.ms").summary().count())
                .isEqualTo(2);
        assertThat(registry.get("rate.limiter.redis.batch.size").summary().totalAmount())
                .isEqualTo(7);
        assertThat(count("rate.limiter.redis.errors", "kind", "connection")).isEqualTo(1);
        assertThat(count("rate.limiter.redis.errors", "kind", "timeout")).isEqualTo(1);
        assertThat(count("rate.limiter.redis.errors", "kind", "script")).isZero();
    }

    @Test
    void tripsToEachServer_areReported_andExcessServersShareOneName() {
        for (int i = 0; i < 50; i++) {
            meters.onTrip("a:1", 100);
        }
        meters.onTrip("b:1", 100);
        clock.advance(Duration.ofSeconds(5));
        assertThat(meters.tripsPerSecond()).containsExactly(Map.entry("a:1", 10.0), Map.entry("b:1", 0.2));
        assertThat(count("rate.limiter.redis.shard.trips", "shard", "a:1")).isEqualTo(50);

        for (int i = 0; i < 500; i++) {
            meters.onTrip("c:" + i, 100);
        }
        assertThat(meters.tripsPerSecond()).hasSize(101);
        assertThat(count("rate.limiter.redis.shard.trips", "shard", "(others)")).isEqualTo(402);
    }

    /** Uses memory instead of a store. It fails while {@code isDown} is set. */
    private Guard guard() {
        ForwardingEngine store =
                new ForwardingEngine(MemoryEngine.builder().clock(clock).build()) {
                    @Override
                    public Reply<Decision> decide(Ask ask) {
                        if (isDown) {
                            throw new IllegalStateException("away");
                        }
                        return super.decide(ask);
                    }
                };
        Leasing leasing = Leasing.builder(store).clock(clock).scheduler(clock).build();
        DenyCache cache = DenyCache.builder(leasing).clock(clock).build();
        Guard guard = Guard.builder(cache).clock(clock).scheduler(clock).build();
        meters.of(leasing).of(cache).of(guard);
        return guard;
    }

    @Test
    void fallback_isReportedWithEntriesStateAndTime() {
        Policy policy = Policy.named("users").limit(Limit.tokenBucket(3, Duration.ofDays(1)), "user");
        try (Limiter limiter =
                Limiter.builder(Policy.setOf(policy)).engine(guard()).build()) {
            for (int i = 0; i < 6; i++) {
                limiter.decide(Request.of("user", "ann"));
            }
            assertThat(count("rate.limiter.deny.cache.hits")).isEqualTo(2);
            assertThat(count("rate.limiter.deny.cache.misses")).isEqualTo(4);
            assertThat(count("rate.limiter.lease.hits")).isZero();
            assertThat(gauge("rate.limiter.breaker.state", "state", "closed")).isEqualTo(1);

            meters.onTrip("a:1", 100);
            assertThat(gauge("rate.limiter.shard.fallback.active", "shard", "a:1"))
                    .isZero();

            isDown = true;
            for (int i = 0; i < 20; i++) {
                limiter.decide(Request.of("user", "u" + i));
                clock.advance(Duration.ofMillis(50));
            }

            assertThat(gauge("rate.limiter.fallback.active")).isEqualTo(1);
            assertThat(gauge("rate.limiter.shard.fallback.active", "shard", "a:1"))
                    .isEqualTo(1);
            assertThat(count("rate.limiter.fallback.mode")).isEqualTo(1);
            assertThat(count("rate.limiter.fallback")).isBetween(0.1, 0.5);
            assertThat(gauge("rate.limiter.breaker.state", "state", "closed")).isZero();
            assertThat(gauge("rate.limiter.breaker.state", "state", "open")).isEqualTo(1);
            assertThat(gauge("rate.limiter.settlements.waiting")).isZero();
            assertThat(count("rate.limiter.settlements.lost")).isZero();
        }
    }
}
