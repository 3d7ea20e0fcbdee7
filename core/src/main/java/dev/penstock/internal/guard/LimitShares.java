package dev.penstock.internal.guard;

import dev.penstock.Limit;
import dev.penstock.spi.Charge;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The shares of limits among the nodes that there are at the moment, each worked out once. Thread-safe. */
public final class LimitShares {
    private static final System.Logger LOG = System.getLogger(LimitShares.class.getName());

    /** More limits than any set of policies has; beyond it all are worked out anew. */
    private static final int MOST = 10_000;

    /** The shares among so many nodes; empty where a limit has none that can be counted exactly. */
    private record Among(int nodes, ConcurrentHashMap<Limit, Optional<Limit>> shares) {
        Among(int nodes) {
            this(nodes, new ConcurrentHashMap<>());
        }
    }

    private final IntSupplier nodes;
    private volatile Among among = new Among(1);

    public LimitShares(IntSupplier nodes) {
        this.nodes = nodes;
    }

    /** How many nodes there are; where nobody can tell, as many as there were. */
    int nodes() {
        try {
            return Math.max(1, nodes.getAsInt());
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the number of nodes is not known; it stays at " + among.nodes, e);
            return among.nodes;
        }
    }

    /** The charge on its limit's share; null where there is no such share. */
    @Nullable
    Charge of(Charge whole, int ofNodes) {
        if (ofNodes == 1) {
            return whole;
        }
        Among present = among;
        if (present.nodes != ofNodes || present.shares.size() > MOST) {
            present = new Among(ofNodes);
            among = present;
        }
        Optional<Limit> share = present.shares.computeIfAbsent(whole.limit(), limit -> share(limit, ofNodes));
        return share.isEmpty() ? null : Charge.of(whole.settings().limit(share.get()), whole.key(), whole.cost());
    }

    private static Optional<Limit> share(Limit limit, int ofNodes) {
        try {
            return Optional.of(limit.share(ofNodes));
        } catch (IllegalArgumentException e) {
            LOG.log(Level.WARNING, "no share of " + limit + " among " + ofNodes + " nodes: " + e.getMessage());
            return Optional.empty();
        }
    }
}
