package dev.penstock.testkit;

import dev.penstock.Limit;

/**
 * The usage of an account under one algorithm: an immutable value whose methods return the next value.
 *
 * <p>It is slow and simple on purpose. It knows only the sum of the holds, which callers pass. All times are
 * microseconds since the epoch.
 */
interface ReferenceCounter {
    /** A counter that was brought up to date, and whether it must be stored even if nothing is charged. */
    record Read(ReferenceCounter counter, boolean mustStore) {}

    /** Continues under the limit's numbers. */
    default Read adopt(Limit limit, long now) {
        return new Read(this, false);
    }

    /** Advances to now. Must be stored only if it repaired the effect of a clock that was set back. */
    Read roll(Limit limit, long now);

    /** Returns true if the demand fits now. */
    boolean fits(Limit limit, Demand demand, long now);

    ReferenceCounter charge(Limit limit, long cost, long now);

    /** Charges at a past or present time even if it does not fit, as far as the debt allows. */
    ReferenceCounter force(Limit limit, long amount, long at);

    /** Returns how much of the amount {@link #force} would charge at this time, in whole permits, rounded down. */
    long forced(Limit limit, long amount, long at);

    long remaining(Limit limit, long held, long now);

    long resetMicros(Limit limit, long held, long now);

    /**
     * Returns how long after a time everything is back, if everything held is charged at that time. Something must be
     * held.
     */
    default long resetFromMicros(Limit limit, long held, long at) {
        return force(limit, held, at).resetMicros(limit, 0, at);
    }

    /** Returns how long until a demand fits that does not fit now but would fit on an unused account. */
    long waitMicros(Limit limit, Demand demand, long now);

    /** Returns true if the counter has any content, even if none of it counts any longer. */
    boolean hasBeenUsed();

    /** Returns how long a request must wait behind earlier charges. Only a leaky bucket makes requests wait. */
    default long delayMicros(Limit limit, long ahead, long now) {
        return 0;
    }

    /**
     * A demand on an account.
     *
     * @param held the amount that is already held
     * @param ahead the costs of earlier charges of the same ask on the account
     * @param cost the charge's own cost
     * @param maxDelayMicros the longest acceptable delay
     */
    record Demand(long held, long ahead, long cost, long maxDelayMicros) {
        /** Returns the amount that must fit into the capacity on its own. */
        long checkCost() {
            return Math.addExact(ahead, cost);
        }

        /** Returns the amount that must fit in addition to the usage. */
        long total() {
            return Math.addExact(held, checkCost());
        }
    }
}
