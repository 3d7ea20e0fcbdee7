package dev.penstock.internal.guard;

import dev.penstock.spi.Fleet;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Agrees with the other nodes, by a mark in the shard that came back, on the moment at which all return to it. Thread-safe. */
public final class JointReturn {
    /** Long enough for every node to reconnect and to find the store by its probes. */
    private static final Duration TIME = Duration.ofSeconds(1);

    /** A node that finds the store later than this gathers anew. */
    private static final Duration MARK_LIFE = TIME.multipliedBy(2);

    private static final System.Logger LOG = System.getLogger(JointReturn.class.getName());

    private final @Nullable Fleet fleet;

    /** With the nodes of the fleet; without one there is nobody to wait for. */
    public JointReturn(@Nullable Fleet fleet) {
        this.fleet = fleet;
    }

    /** How long nodes wait for one another; a node that is alone does not wait. */
    public long micros() {
        return fleet == null || fleet.nodes() <= 1 ? 0 : TIME.toMillis() * 1_000;
    }

    /** This node has found a shard of the store. If the mark cannot be made, it waits as if it were the first. */
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
            LOG.log(Level.DEBUG, "the store could not be marked as back", e);
        }
    }

    private static CompletionStage<Duration> mark(Fleet fleet, Shard shard) {
        return shard.name().equals(Shard.WHOLE)
                ? fleet.agreeOnReturn(MARK_LIFE)
                : fleet.agreeOnReturn(shard.name(), MARK_LIFE);
    }
}
