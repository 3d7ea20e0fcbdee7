package dev.penstock.internal.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * What is held in one account, apart from what was spent: a hold that is given back leaves no trace.
 *
 * <p>Kept in the order of expiry, so that no operation looks at more than it has to.
 */
public final class Holds {
    private final TreeSet<HeldCharge> held = new TreeSet<>(Holds::byExpiry);
    private long total;
    private long added;
    private long lastReadMicros;

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
        held.add(charge);
        total += charge.weight;
        lastReadMicros = charge.expiryMicros - charge.ttlMicros;
    }

    void remove(HeldCharge charge) {
        held.remove(charge);
        total -= charge.weight;
    }

    void renew(HeldCharge charge, long nowMicros) {
        held.remove(charge);
        charge.expiryMicros = nowMicros + charge.ttlMicros;
        held.add(charge);
    }

    /** When the first hold expires; {@link Long#MAX_VALUE} when nothing is held. */
    public long earliestMicros() {
        return held.isEmpty() ? Long.MAX_VALUE : held.first().expiryMicros;
    }

    /** The same seen from now: after the clock went back that hold's own term at most. */
    public long earliestFrom(long nowMicros) {
        return held.isEmpty()
                ? Long.MAX_VALUE
                : Math.min(held.first().expiryMicros, nowMicros + held.first().ttlMicros);
    }

    /** After the clock went back no hold outlives its own term, counted from now. */
    void repair(long nowMicros) {
        boolean wentBack = nowMicros < lastReadMicros;
        lastReadMicros = nowMicros;
        if (wentBack) {
            List<HeldCharge> all = new ArrayList<>(held);
            held.clear();
            for (HeldCharge charge : all) {
                charge.expiryMicros = Math.min(charge.expiryMicros, nowMicros + charge.ttlMicros);
            }
            held.addAll(all);
        }
    }

    private static int byExpiry(HeldCharge x, HeldCharge y) {
        int order = Long.compare(x.expiryMicros, y.expiryMicros);
        return order == 0 ? Long.compare(x.number, y.number) : order;
    }

    /** Removes and answers what has expired by now, the earliest first. */
    List<HeldCharge> takeExpired(long nowMicros) {
        if (earliestMicros() > nowMicros) {
            return List.of();
        }
        List<HeldCharge> expired = new ArrayList<>();
        while (earliestMicros() <= nowMicros) {
            HeldCharge first = held.first();
            remove(first);
            expired.add(first);
        }
        return expired;
    }
}
