package dev.penstock.redis;

import dev.penstock.internal.StageTimeouts;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Asks each primary with slots for its INFO. Nothing here fails: a server that may not answer, or does not answer in
 * time, is reported as unknown.
 */
final class PrimaryInfo {
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private PrimaryInfo() {}

    /** @param name the address of the server, if there is only one */
    static CompletableFuture<Map<String, ServerInfo>> fetch(
            StatefulConnection<String, byte[]> connection, String name) {
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
                    Map<String, ServerInfo> reports = new TreeMap<>();
                    asked.forEach((where, info) -> reports.put(where, info.join()));
                    return reports;
                });
    }

    /** Returns the number of in-sync replicas of each server that reports it. */
    static Map<String, Integer> replicas(Map<String, ServerInfo> reports) {
        Map<String, Integer> known = new TreeMap<>();
        reports.forEach((where, info) -> {
            if (info.replicas() >= 0) {
                known.put(where, info.replicas());
            }
        });
        return known;
    }

    /** Returns whether the node is a primary with slots. */
    static boolean decides(RedisClusterNode node) {
        return node.is(RedisClusterNode.NodeFlag.UPSTREAM) && !node.getSlots().isEmpty();
    }

    /** Returns the host and port of a node. */
    static String where(RedisClusterNode node) {
        return node.getUri().getHost() + ":" + node.getUri().getPort();
    }

    private static CompletableFuture<ServerInfo> info(CompletionStage<StatefulRedisConnection<String, byte[]>> server) {
        CompletionStage<ServerInfo> info =
                server.thenCompose(open -> open.async().info()).thenApply(ServerInfo::of);
        return StageTimeouts.SYSTEM.within(PATIENCE, info).exceptionally(failure -> ServerInfo.UNKNOWN);
    }
}
