package dev.penstock.redis;

import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;

/** Asks what each server that decides tells of itself. Nothing here fails: who may not tell, or does not in time, is unknown. */
final class PrimaryInfo {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private PrimaryInfo() {}

    /** @param name where the server is, if it is one */
    static CompletableFuture<Map<String, ServerInfo>> tell(StatefulConnection<String, byte[]> connection, String name) {
        Map<String, CompletableFuture<ServerInfo>> asked = new TreeMap<>();
        if (connection instanceof StatefulRedisClusterConnection<String, byte[]> cluster) {
            for (RedisClusterNode node : cluster.getPartitions()) {
                if (decides(node)) {
                    asked.put(where(node), info(cluster.getConnectionAsync(node.getNodeId())));
                }
            }
        } else if (connection instanceof StatefulRedisConnection<String, byte[]> one) {
            asked.put(name, info(CompletableFuture.completedStage(one)));
        }
        return CompletableFuture.allOf(asked.values().toArray(CompletableFuture[]::new))
                .thenApply(unused -> {
                    Map<String, ServerInfo> told = new TreeMap<>();
                    asked.forEach((where, info) -> told.put(where, info.join()));
                    return told;
                });
    }

    /** The number of replicas in step with each server, of those that tell. */
    static Map<String, Integer> replicas(Map<String, ServerInfo> told) {
        Map<String, Integer> known = new TreeMap<>();
        told.forEach((where, info) -> {
            if (info.replicas() >= 0) {
                known.put(where, info.replicas());
            }
        });
        return known;
    }

    /** Whether it is a primary with slots. */
    static boolean decides(RedisClusterNode node) {
        return node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.getSlots().isEmpty();
    }

    /** The host and port of a node. */
    static String where(RedisClusterNode node) {
        return node.getUri().getHost() + ":" + node.getUri().getPort();
    }

    private static CompletableFuture<ServerInfo> info(CompletionStage<StatefulRedisConnection<String, byte[]>> server) {
        return server.thenCompose(open -> open.async().info())
                .thenApply(ServerInfo::of)
                .exceptionally(failure -> ServerInfo.UNKNOWN)
                .toCompletableFuture()
                .completeOnTimeout(ServerInfo.UNKNOWN, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    }
}
