package dev.penstock.redis;

import dev.penstock.spi.Scheduler;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisFuture;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Opens the connections to the nodes of a Cluster. The client connects to a node only when a command is first sent to
 * it, and rejects commands until it is connected. So each node receives a command before the engine counts as
 * connected.
 */
final class ClusterOpening {
    private static final System.Logger LOG = System.getLogger(RedisEngine.class.getName());
    private static final int TRIES = 100;
    private static final DelayedCall BETWEEN_TRIES = new DelayedCall(Scheduler.system(), Duration.ofMillis(20));

    private ClusterOpening() {}

    /**
     * Waits until every primary with slots has answered. If a node is down, only decisions in its slots fail.
     *
     * @throws RedisException if no node answers
     */
    static void openEveryNode(StatefulRedisClusterConnection<String, byte[]> cluster, KeyNames names) {
        Map<String, CompletableFuture<Long>> opening = new LinkedHashMap<>();
        for (RedisClusterNode node : cluster.getPartitions()) {
            if (PrimaryInfo.decides(node)) {
                String key = names.nothing(node.getSlots().get(0));
                opening.put(
                        PrimaryInfo.where(node),
                        untilAnswered(() -> cluster.async().exists(key), TRIES));
            }
        }
        Map<String, Throwable> failures = new LinkedHashMap<>();
        opening.forEach((where, answer) -> {
            try {
                answer.join();
            } catch (CompletionException e) {
                failures.put(where, e);
            }
        });
        if (failures.size() == opening.size()) {
            throw new RedisException(
                    "no node of the Cluster answers",
                    failures.values().stream().findFirst().orElse(null));
        }
        failures.forEach((where, failure) -> LOG.log(
                System.Logger.Level.WARNING,
                "redis at " + where + ": " + StartFailure.of(failure) + "; its slots fail until it answers"));
    }

    private static CompletableFuture<Long> untilAnswered(Supplier<RedisFuture<Long>> ask, int tries) {
        return ask.get()
                .toCompletableFuture()
                .exceptionallyCompose(failure -> tries == 0
                        ? CompletableFuture.failedFuture(failure)
                        : BETWEEN_TRIES.then(() -> untilAnswered(ask, tries - 1)));
    }
}
