package dev.penstock.spi;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How an engine's state is divided into shards that fail independently, such as the primaries of a Redis Cluster. An engine
 * may offer it ({@link Engine#sharding}); engines around it pass it on. An engine that does reports its
 * {@linkplain Engine#observeTrips trips}, under the names of its shards.
 *
 * <p>A shard keeps its name for as long as it keeps its keys, even if another server takes them over. Implementations are
 * thread-safe, and no call blocks.
 */
public interface Sharding {
    /** The shards that must answer for the ask to be decided. Empty if no server has its keys. */
    Set<String> shardsOf(Ask ask);

    /** The shards that hold a permit; empty if the engine cannot have issued it. */
    Set<String> shardsOfPermit(String permitId);

    /** A {@linkplain dev.penstock.spi.Charge#colocation colocation} that puts a charge on the shard; null if there is no such shard. */
    @Nullable
    String colocationOn(String shard);

    /** The server that has the shard now, by its host and port. */
    String addressOf(String shard);
}
