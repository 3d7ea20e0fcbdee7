package dev.penstock.internal.guard;

import dev.penstock.Limit;
import dev.penstock.spi.Charge;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** The shares of limits for the current number of nodes, each computed once. Thread-safe. */
public final class LimitShares {
    private static final System.Logger LOG = System.getLogger(LimitShares.class.getName());

    /**
     * The maximum number of cached shares, which is more than any policy set needs. Above it, the cache starts again.
     */
    private static final int MOST = 10_000;

    /** The shares for one number of nodes. A share is empty if it cannot be counted exactly. */
    private record ShareTable(int nodes, ConcurrentHashMap<Limit, Optional<Limit>> shares) {
        ShareTable(int nodes) {
            this(nodes, new ConcurrentHashMap<>());
        }
    }

    private final IntSupplier nodes;
    private volatile ShareTable among = new ShareTable(1);

    public LimitShares(IntSupplier nodes) {
        this.nodes = nodes;
    }

    /** Returns the number of nodes. If it cannot be determined, returns the last known number. */
    int nodes() {
        try {
            return Math.max(1, nodes.getAsInt());
        } catch (RuntimeException e) {
            LOG.log(Level.WARNING, "the number of nodes is unknown; the last known number is used: " + among.nodes, e);
            return among.nodes;
        }
    }

    /** Returns the charge on its limit's share, or null if there is no such share. */
    @Nullable
    Charge of(Charge whole, int ofNodes) {
        if (ofNodes == 1) {
            return whole;
        }
        ShareTable present = among;
        if (present.nodes != ofNodes || present.shares.size() > MOST) {
            present = new ShareTable(ofNodes);
            among = present;
        }
        Optional<Limit> share = present.shares.computeIfAbsent(whole.limit(), limit -> share(limit, ofNodes));
        return share.isEmpty() ? null : Charge.of(whole.settings().limit(share.get()), whole.key(), whole.cost());
    }

    private static Optional<Limit> share(Limit limit, int ofNodes) {
        try {
            return Optional.of(limit.share(ofNodes));
        } catch (IllegalArgumentException e) {
            LOG.log(Level.WARNING, limit + " cannot be divided among " + ofNodes + " nodes: " + e.getMessage());
            return Optional.empty();
        }
    }
}
