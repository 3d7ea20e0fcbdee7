package dev.penstock.internal.algorithm;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is held in one account, apart from what was spent: a hold that is given back leaves no trace.
 *
 * <p>Costs of an operation do not depend on how many are held, but for the moments when the earliest one expires.
 */
public final class Holds {
    private static final long UNKNOWN = Long.MIN_VALUE;

    private final Set<HeldCharge> held = new HashSet<>();
    private long total;
    private long earliestMicros = Long.MAX_VALUE;
    private long lastReadMicros;

    public long total() {
        return total;
    }

    public boolean isEmpty() {
        return held.isEmpty();
    }

    boolean contains(HeldCharge charge) {
        return held.contains(charge);
    }

    void add(HeldCharge charge) {
        held.add(charge);
        total += charge.weight;
        lastReadMicros = charge.expiryMicros - charge.ttlMicros;
        earliestMicros = Math.min(earliestMicros, charge.expiryMicros);
    }

    void remove(HeldCharge charge) {
        held.remove(charge);
        total -= charge.weight;
        if (charge.expiryMicros <= earliestMicros) {
            earliestMicros = UNKNOWN;
        }
    }

    void renew(HeldCharge charge, long nowMicros) {
        charge.expiryMicros = nowMicros + charge.ttlMicros;
        earliestMicros = UNKNOWN;
    }

    /** When the first hold expires; {@link Long#MAX_VALUE} when nothing is held. */
    public long earliestMicros() {
        if (earliestMicros == UNKNOWN) {
            long earliest = Long.MAX_VALUE;
            for (HeldCharge charge : held) {
                earliest = Math.min(earliest, charge.expiryMicros);
            }
            earliestMicros = earliest;
        }
        return earliestMicros;
    }

    /** After the clock went back no hold outlives its own term, counted from now. */
    void repair(long nowMicros) {
        boolean wentBack = nowMicros < lastReadMicros;
        lastReadMicros = nowMicros;
        if (wentBack) {
            for (HeldCharge charge : held) {
                charge.expiryMicros = Math.min(charge.expiryMicros, nowMicros + charge.ttlMicros);
            }
            earliestMicros = UNKNOWN;
        }
    }

    /** Removes and answers what has expired by now, the earliest first. */
    List<HeldCharge> takeExpired(long nowMicros) {
        if (earliestMicros() > nowMicros) {
            return List.of();
        }
        List<HeldCharge> expired = new ArrayList<>();
        for (HeldCharge charge : held) {
            if (charge.expiryMicros <= nowMicros) {
                expired.add(charge);
            }
        }
        expired.sort(Comparator.comparingLong(charge -> charge.expiryMicros));
        expired.forEach(this::remove);
        return expired;
    }
}
