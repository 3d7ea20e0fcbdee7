package dev.penstock.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What is held in one account, apart from what was spent: a hold that is given back leaves no trace.
 *
 * <p>Kept in the order of expiry, so that no operation looks at more than it has to. Expiries go by a clock of the account's
 * own: where the store's clock goes back, this one does not, so every hold keeps the time that it had left.
 */
public final class Holds {
    private final TreeSet<HeldCharge> held = new TreeSet<>(Holds::byExpiry);
    private long total;
    private long added;

    /** When something was last held or renewed, by the account's own clock. */
    private long latestMicros;

    /** By how much the account's own clock is ahead of the store's. */
    private long aheadMicros;

    Holds() {}

    public long total() {
        return total;
    }

    public boolean isEmpty() {
        return held.isEmpty();
    }

    @SuppressWarnings("ReferenceEquality") // after a reset another hold may have the same expiry and number
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

    /** When the first hold expires; {@link Long#MAX_VALUE} when nothing is held. */
    public long earliestMicros() {
        return earliestMicros(aheadMicros);
    }

    /** When the first hold expires, corrected for a clock that was set back before now. */
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

    /** Removes and answers what has expired by now, the earliest first, with expiries by the store's clock. */
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
