package dev.penstock.server.internal.fields;

import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.FixedWindow;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.SlidingLog;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.algorithm.TokenBucket;
import java.math.BigInteger;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The time in which a limit gives out its whole capacity, in whole microseconds, rounded up.
 *
 * <p>For a bucket, this is the time in which an empty one fills, so that capacity and window together give its rate,
 * regardless of its burst. For a calendar month or year, it is the longest one.
 */
public record QuotaWindow(long micros) {
    private static final long SECOND_MICROS = 1_000_000;

    /** Nearly 300,000 years. A bucket that counts in seconds may be slower still. */
    private static final BigInteger LONGEST = BigInteger.valueOf(Long.MAX_VALUE - 1);

    /** Returns the window of an algorithm, or null if it has none, such as for slots. */
    public static @Nullable QuotaWindow of(Algorithm algorithm) {
        if (algorithm instanceof TokenBucket bucket) {
            return new QuotaWindow(share(micros(bucket.period()), bucket.burst(), bucket.permits()));
        } else if (algorithm instanceof LeakyBucket bucket) {
            return new QuotaWindow(share(micros(bucket.period()), bucket.queue(), bucket.permits()));
        } else if (algorithm instanceof FixedWindow window) {
            return new QuotaWindow(micros(window.window()));
        } else if (algorithm instanceof SlidingWindow window) {
            return new QuotaWindow(micros(window.window()));
        } else if (algorithm instanceof SlidingLog window) {
            return new QuotaWindow(micros(window.window()));
        } else if (algorithm instanceof CalendarWindow window) {
            return new QuotaWindow(micros(Duration.ofDays(days(window.period()))));
        }
        return null;
    }

    private static int days(CalendarPeriod period) {
        return switch (period) {
            case DAY -> 1;
            case WEEK -> 7;
            case MONTH -> 31;
            case YEAR -> 366;
        };
    }

    /**
     * Returns the window in whole seconds, rounded up; 0 if it is shorter than a second, which header fields cannot
     * express.
     */
    long seconds() {
        return micros < SECOND_MICROS ? 0 : -Math.floorDiv(-micros, SECOND_MICROS);
    }

    /**
     * Returns the time in seconds, rounded up, in which this part of the capacity is given out, based on the window as
     * it is sent.
     */
    long secondsFor(long permits, long capacity) {
        return share(Math.max(1, seconds()), permits, capacity);
    }

    private static long micros(Duration duration) {
        return duration.getSeconds() * SECOND_MICROS + duration.getNano() / 1_000;
    }

    /** Returns {@code micros * part / whole}, rounded up. The product may be larger than a long. */
    private static long share(long micros, long part, long whole) {
        if (part == whole) {
            return micros;
        }
        long product = micros * part;
        if (product >= 0 && Math.multiplyHigh(micros, part) == 0) {
            return -Math.floorDiv(-product, whole);
        }
        BigInteger[] quotient = BigInteger.valueOf(micros)
                .multiply(BigInteger.valueOf(part))
                .divideAndRemainder(BigInteger.valueOf(whole));
        return quotient[0].min(LONGEST).longValue() + quotient[1].signum();
    }
}
