package dev.penstock.internal.guard;

import dev.penstock.spi.Fleet;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Agrees with the other nodes on the moment at which all of them return to a shard, through a mark in that shard.
 * Thread-safe.
 */
public final class JointReturn {
    /** The wait for other nodes, long enough for every node to reconnect and find the store by its probes. */
    private static final Duration TIME = Duration.ofSeconds(1);

    /** The lifetime of a mark. A node that finds the store later than this starts a new wait. */
    private static final Duration MARK_LIFE = TIME.multipliedBy(2);

    private static final System.Logger LOG = System.getLogger(JointReturn.class.getName());

    private final @Nullable Fleet fleet;

    /** Uses the nodes of the fleet. Without a fleet, this node does not wait. */
    public JointReturn(@Nullable Fleet fleet) {
        this.fleet = fleet;
    }

    /** Returns how long nodes wait for one another. A single node does not wait. */
    public long micros() {
        return fleet == null || fleet.nodes() <= 1 ? 0 : TIME.toMillis() * 1_000;
    }

    /**
     * Called when this node has found a shard of the store. If the mark cannot be made, this node waits as if it were
     * the first.
     */
    public void found(Shard shard, OutageReplay posting) {
        if (fleet == null || micros() == 0) {
            return;
        }
        try {
            CompletionStage<Duration> unused = mark(fleet, shard).whenComplete((ago, failure) -> {
                if (failure == null) {
                    posting.begin(shard.breaker().gatherSince(ago.toNanos() / 1_000));
                }
            });
        } catch (RuntimeException e) {
            LOG.log(Level.DEBUG, "this node could not mark the store as back", e);
        }
    }

    private static CompletionStage<Duration> mark(Fleet fleet, Shard shard) {
        return shard.name().equals(Shard.WHOLE)
                ? fleet.agreeOnReturn(MARK_LIFE)
                : fleet.agreeOnReturn(shard.name(), MARK_LIFE);
    }
}
