package dev.penstock.algorithm;

import dev.penstock.Hold;

/**
 * One charge of a permit, held in one account until it is settled or expires.
 *
 * <p>Its expiry changes only under the lock of that account.
 */
public final class HeldCharge {
    final long amount;

    /** The part of the amount that counts as held. It is 0 if the amount is already spent. */
    long weight;

    final long ttlMicros;
    final Hold.Expiry onExpiry;
    long expiryMicros;

    /** Distinguishes holds of one account with the same expiry. */
    long number;

    /**
     * The state of a leaky bucket right after this charge. The charge can be undone only while the state is unchanged.
     */
    long fullAtTicks;

    long rest;

    /**
     * Creates a charge that is held from now on.
     *
     * @param amount the cost. A cost of 0 is never held, so {@link Rule#hold} is not called for it
     * @param ttlMicros the lifetime of the permit, not that of the limit
     * @param onExpiry what happens when the permit expires
     * @param nowMicros the time of the decision
     */
    public HeldCharge(long amount, long ttlMicros, Hold.Expiry onExpiry, long nowMicros) {
        this.amount = amount;
        this.weight = amount;
        this.ttlMicros = ttlMicros;
        this.onExpiry = onExpiry;
        this.expiryMicros = nowMicros + ttlMicros;
    }

    /** Returns the cost. */
    public long amount() {
        return amount;
    }

    /** Returns whether the cost is 0. Nothing is held for such a charge, and it lives as long as its permit. */
    public boolean isFree() {
        return amount == 0;
    }
}
