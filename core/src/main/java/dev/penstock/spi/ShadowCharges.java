package dev.penstock.spi;

/**
 * What shadow does with counts, for engines that decide. A shadow charge is counted and reported, never enforced:
 *
 * <ul>
 *   <li>It never denies a request and never delays one.
 *   <li>It comes after all enforced charges: they decide as if it were not there.
 *   <li>It is counted only if the request is allowed and the charge itself fits. A denied request counts nothing.
 *   <li>If it does not fit, it is reported as exceeded and counts nothing, not even for later charges of the same request to
 *       the same account.
 * </ul>
 *
 * <p>Stateless.
 */
public final class ShadowCharges {
    private ShadowCharges() {}

    /** Whether the charge denies the request: it is enforced and does not fit. */
    public static boolean denies(Charge charge, boolean fits) {
        return !fits && charge.isEnforced();
    }

    /**
     * The cost that the next charge of the same request to the same account finds before it.
     *
     * @param ahead the cost that this charge found before it
     */
    public static long aheadOfNext(Charge charge, long ahead, boolean fits) {
        return fits || charge.isEnforced() ? ahead + charge.cost() : ahead;
    }

    /** The delay that the charge imposes on the request: its own if it is enforced, none in shadow. */
    public static long delayMicros(Charge charge, long ownMicros) {
        return charge.isEnforced() ? ownMicros : 0;
    }
}
