package dev.penstock.internal.memory;

import dev.penstock.spi.Ask;
import dev.penstock.spi.Enforcement;

/**
 * The order in which the charges of an ask are computed, and the charges that share an account.
 *
 * <p>Enforced charges come first, then shadow charges, each in the order of the ask. Charges that share an account form
 * a chain.
 */
final class ChargeOrder {
    /** The result of {@link #before} for the first charge of a chain. */
    static final int NONE = -1;

    private static final Enforcement[] EFFECTS = {Enforcement.ENFORCED, Enforcement.SHADOW};

    private final int[] order;
    private final int[] before;

    ChargeOrder(Ask ask, AccountAddress[] addresses) {
        order = new int[ask.size()];
        before = new int[ask.size()];
        int at = 0;
        for (Enforcement enforcement : EFFECTS) {
            for (int i = 0; i < order.length; i++) {
                if (ask.charge(i).settings().enforcement() == enforcement) {
                    before[i] = lastInSameAccount(addresses, at, i);
                    order[at++] = i;
                }
            }
        }
    }

    /** Returns the indexes of the charges in the ask, in the order of computation. Do not modify the array. */
    int[] indexes() {
        return order;
    }

    /** Returns the index of the previous charge to the same account, or {@link #NONE}. */
    int before(int i) {
        return before[i];
    }

    boolean isBeforeAnother(int i) {
        for (int last : before) {
            if (last == i) {
                return true;
            }
        }
        return false;
    }

    private int lastInSameAccount(AccountAddress[] addresses, int until, int charge) {
        for (int at = until - 1; at >= 0; at--) {
            if (addresses[order[at]].isSameAs(addresses[charge])) {
                return order[at];
            }
        }
        return NONE;
    }
}
