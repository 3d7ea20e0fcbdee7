package dev.penstock.internal.lease;

/**
 * Decides how many permits one lease of an account draws: half of the demand of a lease's life, but at most half of what the
 * store is likely to have left, so that other nodes get their part. A key with little demand draws nothing. Thread-safe.
 */
final class LeaseSizer {
    /** Keys with less demand in a lease's life are left to the store: they are not hot. */
    static final long HOT_FROM = 8;

    /** Smaller leases are not worth a draw. */
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

    /** Whether the demand of a lease's life is worth leases. */
    static boolean isHot(long demand) {
        return demand >= HOT_FROM;
    }

    /** @param demand the number of permits that a lease's life takes */
    Size size(long demand, long capacity, long nowMicros) {
        long wanted = demand / 2;
        long most = likelyAvailable(capacity, nowMicros) / 2;
        long permits = Math.min(wanted, most);
        return permits < SMALLEST ? Size.NONE : new Size(permits, most < wanted);
    }

    /** Notes the number of permits that the store had left. */
    void sawRemaining(long remaining, long nowMicros) {
        available = remaining;
        availableAtMicros = nowMicros;
    }

    /** What the store had left, plus what has come back since. */
    private long likelyAvailable(long capacity, long nowMicros) {
        long passed = Math.max(0, nowMicros - availableAtMicros);
        if (available >= capacity || passed >= returnMicros) {
            return capacity;
        }
        long cameBack = passed == 0 ? 0 : capacity / (returnMicros / passed + 1);
        return Math.min(capacity, available + cameBack);
    }
}
