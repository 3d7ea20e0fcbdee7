package dev.penstock.internal.cache;

import dev.penstock.Settlement;
import dev.penstock.Settlement.Status;
import dev.penstock.spi.PermitHandle;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A permit that holds something in this process, and perhaps in the store too. Both parts have one id and one answer.
 * Immutable.
 *
 * @param store the store's id; null if nothing is held there
 * @param local the id in this process
 */
public record PermitPair(@Nullable String store, String local) {
    /** The prefix of ids that this process issues. */
    public static final String LOCAL = "local";

    private static final String MARK = "+" + LOCAL + "-";

    /** Returns the pair with this id, or null if the permit is only in the store. */
    public static @Nullable PermitPair of(String id, String storeName) {
        int at = id.lastIndexOf(MARK);
        if (at < 0) {
            return null;
        }
        String store = id.substring(0, at);
        return new PermitPair(store.equals(storeName) ? null : store, id.substring(at + 1));
    }

    /**
     * Returns the handle of both parts, which expires with the first of them. Its id always begins with the store's
     * name.
     */
    public static PermitHandle grant(@Nullable PermitHandle store, PermitHandle local, String storeName) {
        if (store == null) {
            return new PermitHandle(storeName + "+" + local.id(), local.expiresAt());
        }
        boolean storeFirst = store.expiresAt().isBefore(local.expiresAt());
        return new PermitHandle(store.id() + "+" + local.id(), storeFirst ? store.expiresAt() : local.expiresAt());
    }

    /**
     * Returns the answer for both parts: the better of the two, as for one permit of which only a part is left. If one
     * answer is pending, the result is pending.
     */
    public static Settlement together(Settlement one, Settlement other) {
        if (one.status() == Status.RENEWED && other.status() == Status.RENEWED) {
            return Settlement.renewed(sooner(one, other));
        }
        if (one.status() == Status.SETTLED && other.status() == Status.SETTLED) {
            return one.and(other);
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
}
