package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Allowed;
import dev.penstock.Ask;
import dev.penstock.Charge;
import dev.penstock.Costs;
import dev.penstock.Grant;
import dev.penstock.Hold;
import dev.penstock.Key;
import dev.penstock.Limit;
import dev.penstock.Settlement;
import dev.penstock.Terms;
import dev.penstock.spi.Engine;
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

/** On a real Cluster of three: the contract, where all charges share a slot; and requests that span slots. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisEngineClusterTest {
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
        return RedisEngine.at("redis-cluster://" + nodes)
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
        assertThat(engine.fleet().markReturn(Duration.ofSeconds(1))).succeedsWithin(Duration.ofSeconds(10));
    }

    @Test
    void decide_spanningSlots_chargesAllOrNothing() {
        Terms few = Terms.of("few", Limit.tokenBucket(2, Duration.ofHours(1)));
        Terms many = Terms.of("many", Limit.tokenBucket(10, Duration.ofHours(1)));
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
        Terms terms = Terms.of("spanning", Limit.tokenBucket(10, Duration.ofHours(1)));
        Ask ask = Ask.of(charge(terms, "d", 5), charge(terms, "e", 5), charge(terms, "f", 5))
                .hold(Hold.of(Duration.ofMinutes(1)));
        Allowed allowed = (Allowed) await(engine.decide(ask));
        Grant grant = Objects.requireNonNull(allowed.grant());
        assertThat(remaining(terms, "e")).isEqualTo(5);
        Settlement settled = await(engine.settle(grant.id(), Costs.of("requests", 2)));
        assertThat(settled).isEqualTo(Settlement.settled(Costs.of("requests", 2)));
        assertThat(await(engine.settle(grant.id(), Costs.of("requests", 2)))).isEqualTo(settled);
        assertThat(remaining(terms, "d")).isEqualTo(8);
        assertThat(remaining(terms, "f")).isEqualTo(8);
    }

    @Test
    void acquire_spanningSlots_holdsSlotsUntilReleased() {
        Terms slots = Terms.of("slots", Limit.concurrency(1, Duration.ofMinutes(1)));
        Terms rate = Terms.of("rate", Limit.tokenBucket(10, Duration.ofHours(1)));
        Ask ask = Ask.of(charge(slots, "g"), charge(rate, "h"), charge(slots, "i"));
        Grant grant = Objects.requireNonNull(((Allowed) await(engine.decide(ask))).grant());
        assertThat(await(engine.decide(ask)).isAllowed()).isFalse();
        assertThat(await(engine.renew(grant.id())).status()).isEqualTo(Settlement.Status.RENEWED);
        assertThat(await(engine.settle(grant.id(), null)).status()).isEqualTo(Settlement.Status.SETTLED);
        assertThat(await(engine.decide(ask)).isAllowed()).isTrue();
        assertThat(remaining(rate, "h")).isEqualTo(8);
    }

    @Test
    void decide_spanningSlotsUnderAnId_chargesOnce() {
        Terms terms = Terms.of("once", Limit.tokenBucket(10, Duration.ofHours(1)));
        Ask ask = Ask.of(charge(terms, "j"), charge(terms, "k")).id("the request");
        assertThat(await(engine.decide(ask)).isAllowed()).isTrue();
        assertThat(await(engine.decide(ask)).isAllowed()).isTrue();
        assertThat(remaining(terms, "j")).isEqualTo(9);
        assertThat(remaining(terms, "k")).isEqualTo(9);
    }

    private long remaining(Terms terms, String key) {
        return await(engine.decide(Ask.of(charge(terms, key)).peek()))
                .limits()
                .get(0)
                .remaining();
    }

    private static Charge charge(Terms terms, String key) {
        return charge(terms, key, 1);
    }

    private static Charge charge(Terms terms, String key, long cost) {
        return Charge.of(terms, Key.of("cluster", key), cost);
    }

    private static <T> T await(Reply<T> reply) {
        T ready = reply.ifReady();
        return ready != null ? ready : reply.whenReady().toCompletableFuture().join();
    }
}
