package dev.penstock.algorithm;

import dev.penstock.Costs;
import dev.penstock.internal.Durations;
import dev.penstock.internal.Expect;
import java.time.Duration;

/** A rate of permits per period, with a burst that can be used at once. The rate is exact and never drifts. */
public record TokenBucket(long permits, Duration period, long burst) implements Algorithm {
    public TokenBucket {
        Expect.between(permits, 1, Costs.MAX, "permits");
        Expect.micros(period, LONGEST, "period");
        Expect.between(burst, 1, Costs.MAX, "burst");
    }

    @Override
    public String word() {
        return "token_bucket";
    }

    @Override
    public long capacity() {
        return burst;
    }

    @Override
    public String span() {
        return Durations.text(period);
    }

    @Override
    public TokenBucket share(int nodes) {
        return new TokenBucket(permits, period.multipliedBy(nodes), Math.max(1, burst / nodes));
    }
}
