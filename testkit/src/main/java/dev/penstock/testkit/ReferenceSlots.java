package dev.penstock.testkit;

import dev.penstock.Limit;
import dev.penstock.algorithm.Concurrency;

/** The concurrency limit, which spends nothing: all that it counts is held. */
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
    public long remaining(Limit limit, long held, long now) {
        return Math.max(0, limit.capacity() - held);
    }

    @Override
    public long resetMicros(Limit limit, long held, long now) {
        return held == 0 ? 0 : ttlMicros(limit);
    }

    @Override
    public long waitMicros(Limit limit, Demand demand, long now) {
        throw new IllegalStateException("slots wait for a hold to end, never for time alone");
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
