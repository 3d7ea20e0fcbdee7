package dev.penstock.bench.soak.hostile;

/**
 * When attacks begin: none in the first tenth, which is for comparison, then one after the other until four tenths are over, so that
 * all of them are active for the rest.
 */
record AttackSchedule(long seconds, int attacks) {
    /** The number of attacks that have begun at a second. */
    int activeAt(long second) {
        long first = seconds / 10;
        long last = seconds * 4 / 10;
        if (second <= first) {
            return 0;
        }
        return second >= last
                ? attacks
                : (int) Math.min(attacks, attacks * (second - first) / Math.max(1, last - first) + 1);
    }
}
