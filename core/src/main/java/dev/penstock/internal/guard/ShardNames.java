package dev.penstock.internal.guard;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Engine;
import dev.penstock.spi.Sharding;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The names of a store's shards. A store in one place is treated as one shard. Thread-safe. */
final class ShardNames {
    private final Engine store;
    private final @Nullable Sharding sharding;

    ShardNames(Engine store) {
        this.store = store;
        this.sharding = store.sharding();
    }

    boolean isOne() {
        return sharding == null;
    }

    Set<String> of(Ask ask) {
        return sharding == null ? Set.of(Shard.WHOLE) : sharding.shardsOf(ask);
    }

    Set<String> ofPermit(String permitId) {
        return sharding == null ? Set.of(Shard.WHOLE) : sharding.shardsOfPermit(permitId);
    }

    boolean isKnown(String shard) {
        return sharding == null || sharding.colocationOn(shard) != null;
    }

    /** Returns whether the shards are not known yet, as before the first connection. */
    boolean areUnknown() {
        return sharding != null && sharding.shardsOf(StoreProbe.QUESTION).isEmpty();
    }

    /** Returns the shard's name for logs and events: the store, and the shard's address if there are several. */
    String textOf(String shard) {
        return sharding == null || shard.equals(Shard.WHOLE)
                ? store.name()
                : store.name() + " at " + sharding.addressOf(shard);
    }

    /**
     * Returns a question that only this shard can answer and that charges nothing, or null if there is no such shard.
     */
    @Nullable
    Ask questionTo(String shard) {
        if (sharding == null) {
            return StoreProbe.QUESTION;
        }
        if (shard.equals(Shard.WHOLE)) {
            return areUnknown() ? StoreProbe.QUESTION : null;
        }
        String colocation = sharding.colocationOn(shard);
        return colocation == null ? null : StoreProbe.questionOn(colocation);
    }
}
