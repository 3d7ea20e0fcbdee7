package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Costs;
import dev.penstock.Hold;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.spi.Ask;
import dev.penstock.spi.Charge;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Key;
import dev.penstock.spi.LimitSettings;
import dev.penstock.spi.PermitHandle;
import dev.penstock.spi.Reply;
import dev.penstock.testkit.EngineContract;
import dev.penstock.testkit.ManualClock;
import dev.penstock.testkit.server.RedisCluster;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.Objects;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Tests on a real Cluster of three nodes: the engine contract with all charges in one slot, and requests that span
 * slots.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisEngineClusterIT {
    private final RedisCluster cluster = RedisCluster.start();
    private final ClientResources resources = ClientResources.create();
    private final ManualClock clock = new ManualClock();
    private RedisEngine engine;

    @BeforeAll
    void open() {
        engine = connect(clock);
    }

    @AfterAll
    void stop() {
        engine.close();
        resources.shutdown().awaitUninterruptibly();
        cluster.close();
    }

    private RedisEngine connect(ManualClock by) {
        String nodes = "127.0.0.1:" + cluster.nodes().get(0).port() + ",127.0.0.1:"
                + cluster.nodes().get(1).port();
        return RedisEngine.builder("redis-cluster://" + nodes)
                .resources(resources)
                .countBy(by)
                .build();
    }

    @Nested
    class InOneSlot extends EngineContract {
        @Override
        protected Engine createEngine(ManualClock by) {
            for (RedisServer node : cluster.nodes()) {
                node.command("FLUSHALL");
            }
            return new Colocating(connect(by), "tenant");
        }
    }

    @Test
    void fleet_isKeptInOneSlot() {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .until(() -> engine.fleet().nodes() >= 1);
        assertThat(engine.fleet().agreeOnReturn(Duration.ofSeconds(1))).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void decide_spanningSlots_chargesAllOrNothing() {
        LimitSettings few = LimitSettings.of("few", Limit.tokenBucket(2, Duration.ofHours(1)));
        LimitSettings many = LimitSettings.of("many", Limit.tokenBucket(10, Duration.ofHours(1)));
        for (int i = 0; i < 4; i++) {
            Ask ask = Ask.of(charge(few, "a"), charge(many, "b"), charge(many, "c"));
            assertThat(await(engine.decide(ask)).isAllowed())
                    .as("request %d", i)
                    .isEqualTo(i < 2);
        }
        assertThat(remaining(few, "a")).isZero();
        assertThat(remaining(many, "b")).isEqualTo(8);
        assertThat(remaining(many, "c")).isEqualTo(8);
    }

    @Test
    void reserve_spanningSlots_isSettledInAll() {
        LimitSettings settings = LimitSettings.of("spanning", Limit.tokenBucket(10, Duration.ofHours(1)));
        Ask ask = Ask.of(charge(settings, "d", 5), charge(settings, "e", 5), charge(settings, "f", 5))
                .hold(Hold.of(Duration.ofMinutes(1)));
        Allowed allowed = (Allowed) await(engine.decide(ask));
        PermitHandle grant = Objects.requireNonNull(allowed.permitHandle());
        assertThat(remaining(settings, "e")).isEqualTo(5);
        Settlement settled = await(engine.settle(grant.id(), Costs.of("requests", 2)));
        assertThat(settled).isEqualTo(Settlement.settled(Costs.of("requests", 2)));
        assertThat(await(engine.settle(grant.id(), Costs.of("requests", 2)))).isEqualTo(settled);
        assertThat(remaining(settings, "d")).isEqualTo(8);
        assertThat(remaining(settings, "f")).isEqualTo(8);
    }

    @Test
    void acquire_spanningSlots_holdsSlotsUntilReleased() {
        LimitSettings slots = LimitSettings.of("slots", Limit.concurrency(1, Duration.ofMinutes(1)));
        LimitSettings rate = LimitSettings.of("rate", Limit.tokenBucket(10, Duration.ofHours(1)));
        Ask ask = Ask.of(charge(slots, "g"), charge(rate, "h"), charge(slots, "i"));
        PermitHandle grant = Objects.requireNonNull(((Allowed) await(engine.decide(ask))).permitHandle());
        assertThat(await(engine.decide(ask)).isAllowed()).isFalse();
        assertThat(await(engine.renew(grant.id())).status()).isEqualTo(Settlement.Status.RENEWED);
        assertThat(await(engine.settle(grant.id(), null)).status()).isEqualTo(Settlement.Status.SETTLED);
        assertThat(await(engine.decide(ask)).isAllowed()).isTrue();
        assertThat(remaining(rate, "h")).isEqualTo(8);
    }

    @Test
    void decide_spanningSlotsUnderAnId_chargesOnce() {
        LimitSettings settings = LimitSettings.of("once", Limit.tokenBucket(10, Duration.ofHours(1)));
        Ask ask = Ask.of(charge(settings, "j"), charge(settings, "k")).id("the request");
        assertThat(await(engine.decide(ask)).isAllowed()).isTrue();
        assertThat(await(engine.decide(ask)).isAllowed()).isTrue();
        assertThat(remaining(settings, "j")).isEqualTo(9);
        assertThat(remaining(settings, "k")).isEqualTo(9);
    }

    private long remaining(LimitSettings settings, String key) {
        return await(engine.decide(Ask.of(charge(settings, key)).peek()))
                .limits()
                .get(0)
                .remaining();
    }

    private static Charge charge(LimitSettings settings, String key) {
        return charge(settings, key, 1);
    }

    private static Charge charge(LimitSettings settings, String key, long cost) {
        return Charge.of(settings, Key.of("cluster", key), cost);
    }

    private static <T> T await(Reply<T> reply) {
        T ready = reply.ifReady();
        return ready != null ? ready : reply.whenReady().toCompletableFuture().join();
    }
}
