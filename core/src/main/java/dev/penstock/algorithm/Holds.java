package dev.penstock.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * The holds of one account. They are kept separate from what was spent, so that a hold that is given back leaves no
 * trace. Not thread-safe.
 *
 * <p>Ordered by expiry, so that no operation looks at more holds than necessary. Expiries use the account's own clock,
 * which never goes back. If the store's clock is set back, every hold keeps its remaining time.
 */
public final class Holds {
    private final TreeSet<HeldCharge> held = new TreeSet<>(Holds::byExpiry);
    private long total;
    private long added;

    /** The last time at which something was held or renewed, by the account's own clock. */
    private long latestMicros;

    /** How far the account's own clock is ahead of the store's. */
    private long aheadMicros;

    Holds() {}

    /** Returns the sum of all holds. */
    public long total() {
        return total;
    }

    /** Returns whether nothing is held. */
    public boolean isEmpty() {
        return held.isEmpty();
    }

    @SuppressWarnings("ReferenceEquality") // after a reset, another hold may have the same expiry and number
    boolean contains(HeldCharge charge) {
        return held.floor(charge) == charge;
    }

    void add(HeldCharge charge) {
        charge.number = ++added;
        charge.expiryMicros += aheadMicros;
        held.add(charge);
        total += charge.weight;
        latestMicros = charge.expiryMicros - charge.ttlMicros;
    }

    void remove(HeldCharge charge) {
        held.remove(charge);
        total -= charge.weight;
        if (held.isEmpty()) {
            aheadMicros = 0;
        }
    }

    void renew(HeldCharge charge, long nowMicros) {
        held.remove(charge);
        latestMicros = nowMicros + aheadMicros;
        charge.expiryMicros = latestMicros + charge.ttlMicros;
        held.add(charge);
    }

    /** Returns when the first hold expires, or {@link Long#MAX_VALUE} if nothing is held. */
    public long earliestMicros() {
        return earliestMicros(aheadMicros);
    }

    /** Returns when the last hold expires. Something must be held. */
    long latestExpiryMicros() {
        return held.last().expiryMicros - aheadMicros;
    }

    /**
     * Returns when the first hold expires, as {@link #earliestMicros} will return it if the clock has been set back to
     * {@code nowMicros}.
     */
    public long earliestFrom(long nowMicros) {
        return earliestMicros(aheadAt(nowMicros));
    }

    private long earliestMicros(long ahead) {
        return held.isEmpty() ? Long.MAX_VALUE : held.first().expiryMicros - ahead;
    }

    private long aheadAt(long nowMicros) {
        return held.isEmpty() ? 0 : Math.max(aheadMicros, latestMicros - nowMicros);
    }

    private static int byExpiry(HeldCharge x, HeldCharge y) {
        int order = Long.compare(x.expiryMicros, y.expiryMicros);
        return order == 0 ? Long.compare(x.number, y.number) : order;
    }

    /**
     * Removes the holds that have expired by now and returns them, earliest first, with expiries by the store's clock.
     */
    List<HeldCharge> takeExpired(long nowMicros) {
        aheadMicros = aheadAt(nowMicros);
        if (earliestMicros() > nowMicros) {
            return List.of();
        }
        long ahead = aheadMicros;
        List<HeldCharge> expired = new ArrayList<>();
        while (earliestMicros(ahead) <= nowMicros) {
            HeldCharge first = held.first();
            remove(first);
            first.expiryMicros -= ahead;
            expired.add(first);
        }
        return expired;
    }
}
