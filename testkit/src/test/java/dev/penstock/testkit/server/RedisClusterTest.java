package dev.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisClusterTest {
    @Test
    void start_servesEverySlot_eachAtItsNode() {
        try (RedisCluster cluster = RedisCluster.start()) {
            assertThat(cluster.nodes()).hasSize(3);
            assertThat(cluster.uri()).isEqualTo(cluster.nodes().get(0).uri());
            assertThat(cluster.nodes())
                    .allSatisfy(node -> assertThat(node.command("CLUSTER", "INFO"))
                            .contains("cluster_state:ok", "cluster_slots_assigned:16384"));

            RedisServer first = cluster.nodes().get(0);
            RedisServer third = cluster.nodes().get(2);
            assertThat(first.command("CLUSTER", "KEYSLOT", "foo")).isEqualTo("12182");
            assertThat(third.command("SET", "foo", "1")).isEqualTo("OK");
            assertThatThrownBy(() -> first.command("SET", "foo", "1"))
                    .hasMessage("MOVED 12182 127.0.0.1:" + third.port());
        }
    }

    @Test
    void restart_ofANode_makesTheClusterWholeAgain() {
        try (RedisCluster cluster = RedisCluster.start("--cluster-node-timeout", "500")) {
            RedisServer first = cluster.nodes().get(0);
            RedisServer second = cluster.nodes().get(1);

            second.kill();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> first.command("CLUSTER", "INFO").contains("cluster_state:fail"));

            second.restart();
            cluster.waitUntilWhole();
            assertThat(second.command("CLUSTER", "KEYSLOT", "hello")).isEqualTo("866");
            assertThat(first.command("SET", "hello", "1")).isEqualTo("OK");
        }
    }

    @Test
    void close_endsEveryNode() {
        RedisCluster cluster = RedisCluster.start();

        cluster.close();

        assertThat(cluster.nodes()).noneMatch(RedisServer::isAlive);
    }
}
