package dev.penstock.spi;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that share a store, and what they learn from one another through it. An engine may offer it ({@link
 * Engine#fleet}), and engines around that engine forward it.
 *
 * <p>Implementations are thread-safe, and no call blocks.
 */
public interface Fleet {
    /**
     * Returns the number of nodes that share the store, including this one, as last reported while the store answered.
     * Returns 0 if the number is not known yet. Returns at once, even while the store is down.
     */
    int nodes();

    /**
     * Marks that the store is back, unless another node has already done so. All nodes return to the store at the same
     * moment, which is counted from the mark. Otherwise the first nodes would be served before the others have posted
     * what they allowed.
     *
     * @param life how long a mark is valid
     * @return how long ago the mark was made, by the store's clock
     */
    CompletionStage<Duration> agreeOnReturn(Duration life);

    /**
     * Marks that one {@linkplain Sharding shard} is back. The mark is stored on that shard, so that no other shard has
     * to answer.
     *
     * @param shard the name of the shard
     * @param life how long a mark is valid
     */
    default CompletionStage<Duration> agreeOnReturn(String shard, Duration life) {
        return agreeOnReturn(life);
    }

    /**
     * Sets what this node reports about itself with each heartbeat from now on.
     *
     * @param self called each time, on a thread that must not block; returns a short text
     */
    default void announce(Supplier<String> self) {}

    /**
     * Returns the last report of each node, by node name. The report is an empty text if the node sent none. Fails if
     * the store does not answer.
     */
    default CompletionStage<Map<String, String>> announcements() {
        return CompletableFuture.completedStage(Map.of());
    }

    /** Returns the name of this node in {@link #announcements}. */
    default String self() {
        return "";
    }

    /**
     * Registers a listener for resets by any node. It is called shortly after each reset and must drop everything it
     * has cached about the accounts that were reset. A node that does not know which accounts were reset receives
     * {@link Resets#ALL}.
     *
     * @param listener called on a thread that must not block
     */
    void onReset(Consumer<Resets> listener);

    /** Returns the notes of this kind that nodes share, or null if the store does not support notes. */
    default @Nullable SharedNotes notes(String kind) {
        return null;
    }
}
