package dev.penstock.spi;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the nodes that share a store learn of one another through it. An engine may offer it ({@link Engine#fleet}); engines
 * around it pass it on.
 *
 * <p>Implementations are thread-safe, and no call blocks.
 */
public interface Fleet {
    /**
     * How many nodes share the store, this one included, as it was last heard while the store lived; zero where that is
     * not known yet. Answers at once, also when the store is away.
     */
    int nodes();

    /**
     * Marks that the store is back after it was away, unless another node did so before. All nodes return to it at one
     * moment, counted from the mark: else the first ones are served before the store has heard what the others gave out.
     *
     * @param life how long a mark counts
     * @return how long ago the mark was made, by the store's clock
     */
    CompletionStage<Duration> agreeOnReturn(Duration life);

    /**
     * Marks that one {@linkplain Sharding shard} is back. The mark lies on that shard, so that no other one has to answer.
     *
     * @param shard its name
     */
    default CompletionStage<Duration> agreeOnReturn(String shard, Duration life) {
        return agreeOnReturn(life);
    }

    /**
     * What this node tells the others of itself from now on, with each sign of life.
     *
     * @param self asked each time, on a thread that must not wait: a short text
     */
    default void announce(Supplier<String> self) {}

    /**
     * What each node told of itself last, by a name that is its own; an empty text of one that told nothing. Fails where the
     * store cannot be asked.
     */
    default CompletionStage<Map<String, String>> announcements() {
        return CompletableFuture.completedStage(Map.of());
    }

    /** The name under which this node is among those. */
    default String self() {
        return "";
    }

    /**
     * Registers a listener for resets made by any node. It is called shortly after each reset and must drop what it has cached about those accounts. A node that
     * cannot tell which accounts were reset hears {@link Resets#ALL}.
     *
     * @param listener called on a thread that must not wait
     */
    void onReset(Consumer<Resets> listener);

    /** What the nodes write for one another, of a kind; null where the store keeps nothing like that. */
    default @Nullable SharedNotes notes(String kind) {
        return null;
    }
}
