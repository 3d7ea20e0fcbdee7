package dev.penstock.redis.faults;

import dev.penstock.testkit.server.FaultProxy;
import dev.penstock.testkit.server.RedisServer;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Callers' view of Redis failures, on real processes and under load from several nodes: no caller sees an exception,
 * every caller is answered, admissions stay within the formula of docs/operating.md, and service returns without help.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisFaultsIT {
    private static final int NODES = FaultRun.NODES;

    private final ClientResources resources = ClientResources.create();
    private RedisServer redis;
    private List<FaultProxy> proxies;
    private List<GuardedNode> nodes;

    @BeforeEach
    void start() {
        redis = RedisServer.start();
        proxies = new ArrayList<>();
        nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            FaultProxy proxy = FaultProxy.to(redis.port());
            proxies.add(proxy);
            nodes.add(FaultRun.node("redis://127.0.0.1:" + proxy.port(), resources));
        }
    }

    @AfterEach
    void stop() {
        nodes.forEach(GuardedNode::close);
        proxies.forEach(FaultProxy::close);
        redis.close();
    }

    @AfterAll
    void end() {
        resources.shutdown().awaitUninterruptibly();
    }

    @Test
    void redisKilledAndStartedEmpty() {
        new FaultRun("killed, restarted empty", nodes, NODES).losingState().survives(redis::kill, redis::restart);
    }

    @Test
    void redisStopped() {
        survives("stopped", NODES, (server, unused) -> server.pause(), (server, unused) -> server.resume());
    }

    @Test
    void connectionsCut() {
        survives("cut", NODES, (server, all) -> all.forEach(FaultProxy::cut), RedisFaultsIT::heal);
    }

    @Test
    void repliesSlow() {
        survives(
                "slow",
                NODES,
                (server, all) -> all.forEach(proxy -> proxy.delay(Duration.ofMillis(300))),
                RedisFaultsIT::heal);
    }

    @Test
    void connectionsHalfOpen() {
        survives("half open", NODES, (server, all) -> all.forEach(FaultProxy::halfOpen), RedisFaultsIT::heal);
    }

    /** No fault is healed. The engines must notice that no reply arrives, and reconnect. */
    @Test
    void connectionsSilent() {
        survives("silent", NODES, (server, all) -> all.forEach(FaultProxy::silence), (server, all) -> {});
    }

    @Test
    void repliesLost() {
        survives("replies lost", NODES, (server, all) -> all.forEach(FaultProxy::dropReplies), RedisFaultsIT::heal);
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
        survives("one node cut off", 1, (server, all) -> all.get(0).cut(), RedisFaultsIT::heal);
    }

    @Test
    void scriptsFlushed() {
        survives("scripts flushed", 0, (server, all) -> server.command("SCRIPT", "FLUSH"), (server, all) -> {});
    }

    private static void heal(RedisServer server, List<FaultProxy> all) {
        all.forEach(FaultProxy::heal);
    }

    private void survives(
            String fault,
            int hit,
            BiConsumer<RedisServer, List<FaultProxy>> strike,
            BiConsumer<RedisServer, List<FaultProxy>> heal) {
        new FaultRun(fault, nodes, hit)
                .survives(() -> strike.accept(redis, proxies), () -> heal.accept(redis, proxies));
    }
}
