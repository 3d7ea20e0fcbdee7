package dev.penstock.testkit.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RedisClusterIT {
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
    void replicas_takeOverFromAPrimary() {
        try (RedisCluster cluster = RedisCluster.startWithReplicas("--cluster-node-timeout", "500")) {
            RedisServer primary = cluster.nodes().get(2);
            assertThat(cluster.ownerOf(cluster.slotOf("foo"))).isSameAs(primary);
            primary.command("SET", "foo", "1");
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> cluster.replicas().get(2).command("DBSIZE").equals("1"));

            primary.kill();
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> cluster.ownerOf(12_182) == cluster.replicas().get(2));
            await().atMost(Duration.ofSeconds(30))
                    .ignoreExceptions()
                    .until(() -> cluster.replicas().get(2).command("GET", "foo").equals("1"));
        }
    }

    @Test
    void move_includesTheKeys() {
        try (RedisCluster cluster = RedisCluster.start()) {
            RedisServer from = cluster.ownerOf(12_182);
            RedisServer to = cluster.nodes().get(0);
            from.command("SET", "foo", "1");

            cluster.move(12_182, to);

            assertThat(cluster.ownerOf(12_182)).isSameAs(to);
            assertThat(to.command("GET", "foo")).isEqualTo("1");
            assertThatThrownBy(() -> from.command("GET", "foo")).hasMessage("MOVED 12182 127.0.0.1:" + to.port());
        }
    }

    @Test
    void close_endsEveryNode() {
        RedisCluster cluster = RedisCluster.start();

        cluster.close();

        assertThat(cluster.nodes()).noneMatch(RedisServer::isAlive);
    }
}
