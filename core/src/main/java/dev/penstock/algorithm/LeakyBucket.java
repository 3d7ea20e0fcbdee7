package dev.penstock.algorithm;

import dev.penstock.Costs;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import java.time.Duration;

/**
 * Traffic shaping: permits leave at an even rate, and an allowed request carries the delay until its turn.
 *
 * @param permits the number of permits per period
 * @param period the time in which {@code permits} permits leave
 * @param queue the number of permits that may be queued at once, including the one whose turn it is. With a queue of
 *     4, four requests are allowed at once, and three of them wait
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
