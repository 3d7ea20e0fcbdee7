package dev.penstock.redis.faults;

import dev.penstock.testkit.server.RedisSentinels;
import io.lettuce.core.resource.ClientResources;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Callers' view of a failover by Sentinels, like {@link RedisFaultsIT} for one server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisSentinelFaultsIT {
    private final ClientResources resources = ClientResources.create();

    @AfterAll
    void end() {
        resources.shutdown().awaitUninterruptibly();
    }

    @Test
    void primaryKilled_itsReplicaTakesOver() {
        try (RedisSentinels sentinels = RedisSentinels.start()) {
            List<GuardedNode> nodes = new ArrayList<>();
            for (int i = 0; i < FaultRun.NODES; i++) {
                nodes.add(FaultRun.node(sentinels.uri(), resources));
            }
            new FaultRun("sentinel failover", nodes, nodes.size())
                    .losingState()
                    .survives(() -> sentinels.primary().kill(), sentinels::waitForFailover);
            nodes.forEach(GuardedNode::close);
        }
    }
}
