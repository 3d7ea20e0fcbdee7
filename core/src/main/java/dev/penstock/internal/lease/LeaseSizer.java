package dev.penstock.internal.lease;

/**
 * Decides how many permits a lease of one account draws: half of the demand in a lease's lifetime, but at most half of
 * what the store is likely to have left, so that other nodes get their part. A key with little demand draws nothing.
 * Thread-safe.
 */
final class LeaseSizer {
    /** The smallest demand in a lease's lifetime that makes a key hot. The store decides keys with less demand. */
    static final long HOT_FROM = 8;

    /** The smallest number of permits that is worth a draw. */
    static final long SMALLEST = 2;

    /**
     * The size of a lease.
     *
     * @param permits the number of permits to draw; 0 for no lease
     * @param isCutShort whether the demand is for more than the store is likely to give
     */
    record Size(long permits, boolean isCutShort) {
        private static final Size NONE = new Size(0, false);
    }

    private final long returnMicros;
    private volatile long available = Long.MAX_VALUE;
    private volatile long availableAtMicros;

    /** @param returnMicros the time in which the whole capacity comes back */
    LeaseSizer(long returnMicros) {
        this.returnMicros = returnMicros;
    }

    /** Returns whether the demand in a lease's lifetime is worth a lease. */
    static boolean isHot(long demand) {
        return demand >= HOT_FROM;
    }

    /**
     * Returns the size of the next lease.
     *
     * @param demand the number of permits asked for in a lease's lifetime
     */
    Size size(long demand, long capacity, long nowMicros) {
        long wanted = demand / 2;
        long most = likelyAvailable(capacity, nowMicros) / 2;
        long permits = Math.min(wanted, most);
        return permits < SMALLEST ? Size.NONE : new Size(permits, most < wanted);
    }

    /** Records the number of permits that the store had left. */
    void sawRemaining(long remaining, long nowMicros) {
        available = remaining;
        availableAtMicros = nowMicros;
    }

    /** Returns what the store had left, plus what has come back since. */
    private long likelyAvailable(long capacity, long nowMicros) {
        long passed = Math.max(0, nowMicros - availableAtMicros);
        if (available >= capacity || passed >= returnMicros) {
            return capacity;
        }
        long cameBack = passed == 0 ? 0 : capacity / (returnMicros / passed + 1);
        return Math.min(capacity, available + cameBack);
    }
}
