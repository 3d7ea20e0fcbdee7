package dev.penstock.algorithm;

import dev.penstock.Costs;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * Shaping: permits leave evenly at a rate, and an allowed request carries the delay that it must wait for its turn.
 *
 * @param queue how many permits may be on their way at once, the one leaving included
 */
public record LeakyBucket(long permits, Duration period, long queue) implements Algorithm {
    public LeakyBucket {
        Expect.between(permits, 1, Costs.MAX, "permits");
        Expect.micros(period, LONGEST, "period");
        Expect.between(queue, 1, Costs.MAX, "queue");
    }

    @Override
    public String word() {
        return "leaky_bucket";
    }

    @Override
    public long capacity() {
        return queue;
    }

    @Override
    public String span() {
        return Durations.text(period);
    }

    @Override
    public LeakyBucket share(int nodes) {
        return new LeakyBucket(permits, period.multipliedBy(nodes), Math.max(1, queue / nodes));
    }
}
