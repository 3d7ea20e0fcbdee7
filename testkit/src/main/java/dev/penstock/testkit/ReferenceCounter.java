package dev.penstock.testkit;

import dev.penstock.Limit;

/**
 * What an account has spent, under one algorithm: an immutable value whose methods answer the next one.
 *
 * <p>Slow and literal on purpose. It knows nothing of holds beyond their sum, which it is told. All times are
 * microseconds since the epoch.
 */
interface ReferenceCounter {
    /** A counter brought up to date, and whether that has to be kept even if nothing is charged. */
    record Read(ReferenceCounter counter, boolean mustStore) {}

    /** Goes on under the limit's numbers. */
    default Read adopt(Limit limit, long now) {
        return new Read(this, false);
    }

    /** Comes to now; to be stored only where a clock gone back was repaired. */
    Read roll(Limit limit, long now);

    /** Whether what is wanted can be had now. */
    boolean fits(Limit limit, Demand demand, long now);

    ReferenceCounter charge(Limit limit, long cost, long now);

    /** Charges at a past or present moment whether it fits or not, as far as the debt allows. */
    ReferenceCounter force(Limit limit, long amount, long at);

    long remaining(Limit limit, long held, long now);

    long resetMicros(Limit limit, long held, long now);

    /** How long until a demand fits that does not now, but would on an account without spending. */
    long waitMicros(Limit limit, Demand demand, long now);

    /** Whether it remembers anything at all, be it that nothing of it counts any more. */
    boolean hasBeenUsed();

    /** How long a request has to wait for its turn behind earlier charges; only a leaky bucket makes it wait. */
    default long delayMicros(Limit limit, long ahead, long now) {
        return 0;
    }

    /**
     * What is wanted of an account.
     *
     * @param held what is held there already
     * @param ahead the costs of earlier charges of the same ask on the account
     * @param cost the charge's own cost
     * @param maxDelayMicros the longest delay that is acceptable
     */
    record Demand(long held, long ahead, long cost, long maxDelayMicros) {
        /** What has to fit into the capacity by itself. */
        long checkCost() {
            return Math.addExact(ahead, cost);
        }

        /** What has to fit beside what is spent. */
        long total() {
            return Math.addExact(held, checkCost());
        }
    }
}
