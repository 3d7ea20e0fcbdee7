package dev.penstock.spi;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The division of an engine's state into shards that fail independently, such as the primaries of a Redis Cluster. An
 * engine may offer it ({@link Engine#sharding}), and engines around that engine forward it. Such an engine reports its
 * {@linkplain Engine#observeTrips round trips} under the names of its shards.
 *
 * <p>A shard keeps its name as long as it keeps its keys, even if another server takes them over. Implementations are
 * thread-safe, and no call blocks.
 */
public interface Sharding {
    /** Returns the shards that must answer to decide the ask. Empty if no server has its keys. */
    Set<String> shardsOf(Ask ask);

    /** Returns the shards that hold a permit. Empty if the engine cannot have issued it. */
    Set<String> shardsOfPermit(String permitId);

    /**
     * Returns a {@linkplain dev.penstock.spi.Charge#colocation colocation} that puts a charge on the shard, or null if
     * there is no such shard.
     */
    @Nullable
    String colocationOn(String shard);

    /** Returns the host and port of the server that currently has the shard. */
    String addressOf(String shard);
}
