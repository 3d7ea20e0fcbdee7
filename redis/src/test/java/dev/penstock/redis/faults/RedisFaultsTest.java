package dev.penstock.redis.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Clock;
import dev.penstock.Limit;
import dev.penstock.Policy;
import dev.penstock.PolicySet;
import dev.penstock.Request;
import dev.penstock.testkit.server.FaultProxy;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * What happens to callers when Redis fails, on real processes and under load from several nodes: nobody sees an exception,
 * everybody is answered, what is admitted stays within the formula of docs/operating.md, and service returns by itself.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisFaultsTest {
    private static final int NODES = 3;
    private static final int RATE = 300;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration OUTAGE = Duration.ofMillis(1_500);
    private static final PolicySet POLICIES =
            PolicySet.of(Policy.named("api").limit(Limit.tokenBucket(RATE, SECOND), "user"));

    private final ClientResources resources = ClientResources.create();
    private RedisServer redis;
    private List<GuardedNode> nodes;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            nodes.add(new GuardedNode(redis.port(), NODES, POLICIES, resources));
        }
    }

    @AfterEach
    void stop() {
        nodes.forEach(GuardedNode::close);
        redis.close();
    }

    @AfterAll
    void end() {
        resources.shutdown().awaitUninterruptibly();
    }

    @Test
    void redisKilledAndStartedEmpty() {
        survives(
                "killed, restarted empty",
                NODES,
                (server, unused) -> server.kill(),
                (server, unused) -> server.restart());
    }

    @Test
    void redisStopped() {
        survives("stopped", NODES, (server, unused) -> server.pause(), (server, unused) -> server.resume());
    }

    @Test
    void connectionsCut() {
        survives("cut", NODES, (server, all) -> all.forEach(FaultProxy::cut), RedisFaultsTest::heal);
    }

    @Test
    void repliesSlow() {
        survives(
                "slow",
                NODES,
                (server, all) -> all.forEach(proxy -> proxy.delay(Duration.ofMillis(300))),
                RedisFaultsTest::heal);
    }

    @Test
    void connectionsHalfOpen() {
        survives("half open", NODES, (server, all) -> all.forEach(FaultProxy::halfOpen), RedisFaultsTest::heal);
    }

    @Test
    void repliesLost() {
        survives("replies lost", NODES, (server, all) -> all.forEach(FaultProxy::dropReplies), RedisFaultsTest::heal);
    }

    @Test
    void clientsPaused() {
        survives(
                "clients paused",
                NODES,
                (server, all) -> server.command("CLIENT", "PAUSE", "1500", "ALL"),
                (server, all) -> {});
    }

    @Test
    void outOfMemory() {
        survives(
                "out of memory",
                NODES,
                (server, all) -> server.command("CONFIG", "SET", "maxmemory", "1"),
                (server, all) -> server.command("CONFIG", "SET", "maxmemory", "0"));
    }

    @Test
    void primaryTurnedReadOnly() {
        survives(
                "read-only",
                NODES,
                (server, all) -> server.command("REPLICAOF", "127.0.0.1", "1"),
                (server, all) -> server.command("REPLICAOF", "NO", "ONE"));
    }

    @Test
    void oneNodePartitioned() {
        survives("one node cut off", 1, (server, all) -> all.get(0).cut(), RedisFaultsTest::heal);
    }

    @Test
    void scriptsFlushed() {
        survives("scripts flushed", 0, (server, all) -> server.command("SCRIPT", "FLUSH"), (server, all) -> {});
    }

    private static void heal(RedisServer server, List<FaultProxy> all) {
        all.forEach(FaultProxy::heal);
    }

    /** @param hit how many nodes, the first ones, cannot reach Redis meanwhile */
    private void survives(
            String fault,
            int hit,
            BiConsumer<RedisServer, List<FaultProxy>> strike,
            BiConsumer<RedisServer, List<FaultProxy>> heal) {
        List<FaultProxy> proxies = nodes.stream().map(node -> node.proxy).toList();
        Clock clock = Clock.system();
        long begin = clock.micros();
        nodes.forEach(node -> node.ask(Request.of("user", "ann")));
        await(() -> nodes.stream().allMatch(node -> node.byStore() > 100));

        strike.accept(redis, proxies);
        long struck = clock.micros();
        await(() -> clock.micros() - struck > OUTAGE.toMillis() * 1_000
                && nodes.subList(0, hit).stream().allMatch(node -> node.byFallback() > 0));
        heal.accept(redis, proxies);

        List<Long> before = nodes.stream().map(GuardedNode::byStore).toList();
        await(() -> {
            for (int i = 0; i < NODES; i++) {
                if (nodes.get(i).byStore() < before.get(i) + 100) {
                    return false;
                }
            }
            return true;
        });
        for (GuardedNode node : nodes) {
            assertThat(stopped(node)).as("every caller is answered").isTrue();
            assertThat(node.thrown()).isNull();
        }

        long seconds = (clock.micros() - begin) / 1_000_000 + 1;
        long allowed = nodes.stream().mapToLong(GuardedNode::allowed).sum();
        long nominal = RATE + RATE * seconds;
        long most = nominal + RATE + RATE * seconds * hit / NODES + RATE;
        System.out.printf(
                "%-24s admitted %5d, nominal %5d, bound %5d, by fallback %d%n",
                fault,
                allowed,
                nominal,
                most,
                nodes.stream().mapToLong(GuardedNode::byFallback).sum());
        assertThat(allowed).isLessThanOrEqualTo(most);
    }

    private static boolean stopped(GuardedNode node) {
        try {
            return node.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static void await(java.util.concurrent.Callable<Boolean> until) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(20))
                .until(until);
    }
}
