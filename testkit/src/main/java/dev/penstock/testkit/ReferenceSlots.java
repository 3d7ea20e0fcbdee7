package dev.penstock.testkit;

import dev.penstock.Limit;
import dev.penstock.algorithm.Concurrency;

/** The concurrency limit. It has no usage except holds. */
record ReferenceSlots() implements ReferenceCounter {
    @Override
    public Read roll(Limit limit, long now) {
        return new Read(this, false);
    }

    @Override
    public boolean fits(Limit limit, Demand demand, long now) {
        return demand.total() <= limit.capacity();
    }

    @Override
    public ReferenceCounter charge(Limit limit, long cost, long now) {
        throw new IllegalStateException("slots are held, never spent");
    }

    @Override
    public ReferenceCounter force(Limit limit, long amount, long at) {
        return this;
    }

    @Override
    public long forced(Limit limit, long amount, long at) {
        return 0;
    }

    @Override
    public long remaining(Limit limit, long held, long now) {
        return Math.max(0, limit.capacity() - held);
    }

    @Override
    public long resetMicros(Limit limit, long held, long now) {
        return held == 0 ? 0 : ttlMicros(limit);
    }

    @Override
    public long resetFromMicros(Limit limit, long held, long at) {
        return 0;
    }

    @Override
    public long waitMicros(Limit limit, Demand demand, long now) {
        throw new IllegalStateException("slots become free when a hold ends, never by time alone");
    }

    @Override
    public boolean hasBeenUsed() {
        return false;
    }

    static long ttlMicros(Limit limit) {
        if (limit.algorithm() instanceof Concurrency slots) {
            return slots.ttl().toNanos() / 1_000;
        }
        throw new IllegalArgumentException("limit: " + limit + " (expected: concurrency)");
    }
}
