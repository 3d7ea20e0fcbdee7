package dev.penstock.internal.cache;

import dev.penstock.Costs;
import dev.penstock.Settlement;
import dev.penstock.Settlement.Status;
import dev.penstock.spi.PermitHandle;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A permit that holds something in this process, and perhaps in the store too: one id for both, and one answer of both.
 * Immutable.
 *
 * @param store the store's id; null where nothing is held there
 * @param local the id here
 */
public record PermitPair(@Nullable String store, String local) {
    /** What ids given here begin with. */
    public static final String LOCAL = "local";

    private static final String MARK = "+" + LOCAL + "-";

    /** The pair that an id names; null where it is the store's alone. */
    public static @Nullable PermitPair of(String id, String storeName) {
        int at = id.lastIndexOf(MARK);
        if (at < 0) {
            return null;
        }
        String store = id.substring(0, at);
        return new PermitPair(store.equals(storeName) ? null : store, id.substring(at + 1));
    }

    /** The grant of both, which lives as long as the shorter; it begins with the store's name in any case. */
    public static PermitHandle grant(@Nullable PermitHandle store, PermitHandle local, String storeName) {
        if (store == null) {
            return new PermitHandle(storeName + "+" + local.id(), local.expiresAt());
        }
        boolean storeFirst = store.expiresAt().isBefore(local.expiresAt());
        return new PermitHandle(store.id() + "+" + local.id(), storeFirst ? store.expiresAt() : local.expiresAt());
    }

    /**
     * The answer of both: the better one, as for one permit of which only a part is still there; but as long as one is
     * pending, so are both.
     */
    public static Settlement together(Settlement one, Settlement other) {
        if (one.status() == Status.RENEWED && other.status() == Status.RENEWED) {
            return Settlement.renewed(sooner(one, other));
        }
        if (one.status() == Status.SETTLED && other.status() == Status.SETTLED) {
            return Settlement.settled(larger(one.charged(), other.charged()));
        }
        return rank(one) <= rank(other) ? one : other;
    }

    private static int rank(Settlement settlement) {
        return switch (settlement.status()) {
            case PENDING -> 0;
            case RENEWED -> 1;
            case SETTLED -> 2;
            case EXPIRED -> 3;
            case UNKNOWN -> 4;
        };
    }

    private static Instant sooner(Settlement one, Settlement other) {
        Instant mine = one.expiresAt();
        Instant theirs = other.expiresAt();
        if (mine == null || theirs == null) {
            throw new AssertionError("a renewed permit has an expiry");
        }
        return mine.isBefore(theirs) ? mine : theirs;
    }

    private static Costs larger(Costs one, Costs other) {
        Costs both = one;
        for (Map.Entry<String, Long> cost : other.asMap().entrySet()) {
            both = both.and(cost.getKey(), Math.max(both.amount(cost.getKey(), 0), cost.getValue()));
        }
        return both;
    }
}
