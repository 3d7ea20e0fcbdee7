package dev.penstock.bench.soak.hostile;

/**
 * The start times of attacks. There are none in the first tenth of the soak, for comparison. Then they start one after
 * the other until 40 % of the time, so that all of them are active for the rest.
 */
record AttackSchedule(long seconds, int attacks) {
    /** Returns the number of attacks that have begun at a second. */
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
