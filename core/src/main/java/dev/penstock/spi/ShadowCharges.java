package dev.penstock.spi;

/**
 * The rules for shadow charges, for engines that decide. A shadow charge is counted and reported, never enforced.
 *
 * <ul>
 *   <li>It never denies a request and never delays one.
 *   <li>It is checked after all enforced charges, and does not influence them.
 *   <li>It is counted only if the request is allowed and the charge itself fits. A denied request counts nothing.
 *   <li>If it does not fit, it is reported as exceeded and counts nothing, not even for later charges of the same
 *       request to the same account.
 * </ul>
 *
 * <p>Stateless.
 */
public final class ShadowCharges {
    private ShadowCharges() {}

    /** Returns whether the charge denies the request: it is enforced and does not fit. */
    public static boolean denies(Charge charge, boolean fits) {
        return !fits && charge.isEnforced();
    }

    /**
     * Returns the cost that precedes the next charge of the same request to the same account.
     *
     * @param charge this charge
     * @param ahead the cost that preceded this charge
     * @param fits whether this charge fits
     */
    public static long aheadOfNext(Charge charge, long ahead, boolean fits) {
        return fits || charge.isEnforced() ? ahead + charge.cost() : ahead;
    }

    /**
     * Returns the delay that the charge imposes on the request: its own delay if the charge is enforced, none if it is
     * a shadow charge.
     */
    public static long delayMicros(Charge charge, long ownMicros) {
        return charge.isEnforced() ? ownMicros : 0;
    }
}
