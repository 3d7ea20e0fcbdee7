package dev.penstock.algorithm;

/**
 * One charge of a permit, held in one account until it is settled or expires.
 *
 * <p>Its expiry changes only under the guard of that account.
 */
public final class HeldCharge {
    /** What becomes of a held cost whose permit is neither settled nor released in time. */
    public enum Lapse {
        /** It is charged, as of the moment of expiry. */
        CHARGED,
        /** It is given back. */
        GIVEN_BACK
    }

    final long amount;

    /** What of the amount counts as held: none where it is spent already. */
    long weight;

    final long ttlMicros;
    final Lapse lapse;
    long expiryMicros;

    /** Tells holds of one account and one expiry apart. */
    long number;

    /** The state of a leaky bucket right after this charge: the charge can be undone only while the state is the same. */
    long fullAtTicks;

    long rest;

    /**
     * A charge that is held from now on.
     *
     * @param amount the cost; nothing is held for a cost of 0, so {@link Rule#hold} is not called for it
     * @param ttlMicros the term of the permit, not that of the limit
     */
    public HeldCharge(long amount, long ttlMicros, Lapse lapse, long nowMicros) {
        this.amount = amount;
        this.weight = amount;
        this.ttlMicros = ttlMicros;
        this.lapse = lapse;
        this.expiryMicros = nowMicros + ttlMicros;
    }

    public long amount() {
        return amount;
    }

    /** Returns whether the cost is 0. Nothing is held for such a charge; it lives as long as its permit. */
    public boolean isFree() {
        return amount == 0;
    }
}
