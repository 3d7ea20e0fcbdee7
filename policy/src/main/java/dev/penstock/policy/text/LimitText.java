package dev.penstock.policy.text;

import dev.penstock.Limit;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.FixedWindow;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.SlidingLog;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.algorithm.TokenBucket;
import dev.penstock.internal.Durations;
import java.time.Duration;
import java.util.Locale;

/** Formats limits in the notation of the policy language: {@code token_bucket: 100 per 1m, burst: 20}. */
public final class LimitText {
    private LimitText() {}

    /** Returns the limit's algorithm and numbers as a policy would spell them. */
    public static String of(Limit limit) {
        Algorithm algorithm = limit.algorithm();
        return algorithm.word() + ": " + numbers(algorithm);
    }

    private static String numbers(Algorithm algorithm) {
        if (algorithm instanceof TokenBucket bucket) {
            return rate(bucket.permits(), bucket.period()) + ", burst: " + bucket.burst();
        } else if (algorithm instanceof LeakyBucket bucket) {
            return rate(bucket.permits(), bucket.period()) + ", queue: " + bucket.queue();
        } else if (algorithm instanceof FixedWindow window) {
            return rate(window.permits(), window.window());
        } else if (algorithm instanceof SlidingWindow window) {
            return rate(window.permits(), window.window());
        } else if (algorithm instanceof SlidingLog log) {
            return rate(log.permits(), log.window());
        } else if (algorithm instanceof CalendarWindow window) {
            String period = window.period().name().toLowerCase(Locale.ROOT);
            return window.permits() + " per calendar " + period + " in " + window.zone();
        } else if (algorithm instanceof Concurrency slots) {
            return slots.slots() + ", ttl: " + Durations.text(slots.ttl());
        }
        return algorithm.toString();
    }

    private static String rate(long count, Duration period) {
        return count + " per " + Durations.text(period);
    }
}
