package dev.penstock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.testkit.RandomTrace;
import dev.penstock.testkit.TestSeed;
import dev.penstock.testkit.TraceFlavor;
import dev.penstock.testkit.TraceRunner;
import dev.penstock.testkit.server.RedisCluster;
import io.lettuce.core.resource.ClientResources;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Compares the scripts in a real Cluster of three nodes with the reference: {@value #TRACES} random traces in every
 * flavor. Each trace has its own slot, because asks that span slots may be denied without need.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisEngineClusterDifferentialIT {
    private static final int TRACES = 8;
    private static final int STEPS = 300;

    private final RedisCluster cluster = RedisCluster.start();
    private final ClientResources resources = ClientResources.create();
    private int made;

    @AfterAll
    void stop() {
        resources.shutdown().awaitUninterruptibly();
        cluster.close();
    }

    @ParameterizedTest
    @EnumSource
    void randomTraces_everyAnswerEqualsTheReferences(TraceFlavor flavor) {
        long seed = TestSeed.printed("random traces " + flavor + " in a Cluster");
        String uri = cluster.nodes().stream()
                .map(node -> "127.0.0.1:" + node.port())
                .collect(Collectors.joining(",", "redis-cluster://", ""));
        Set<Object> homes = new HashSet<>();
        TraceRunner runner = new TraceRunner(
                clock -> {
                    String tenant = "tenant" + made++;
                    homes.add(cluster.ownerOf(Slots.of(tenant)));
                    RedisEngine.Builder node = RedisEngine.builder(uri).resources(resources);
                    return new Colocating(
                            node.countBy(clock).rememberFor(Algorithm.LONGEST).build(), tenant);
                },
                RedisTraces.MOST_EXPIRED);
        for (int i = 0; i < TRACES; i++) {
            runner.run(new RandomTrace(seed + i, flavor), STEPS);
            cluster.nodes().forEach(node -> node.command("FLUSHALL"));
        }
        assertThat(homes).as("nodes that were asked").hasSize(cluster.nodes().size());
    }
}
