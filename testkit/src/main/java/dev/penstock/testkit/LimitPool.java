package dev.penstock.testkit;

import dev.penstock.Limit;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.FixedWindow;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.SlidingLog;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.algorithm.TokenBucket;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Random limits of every kind, with numbers that do not divide evenly. */
public final class LimitPool {
    /** A number of permits per period. */
    public record Rate(long permits, Duration period) {}

    public static final List<Rate> RATES = List.of(
            new Rate(7, Duration.ofSeconds(1)),
            new Rate(3, Duration.ofSeconds(1)),
            new Rate(1, Duration.ofSeconds(1)),
            new Rate(1_000, Duration.ofSeconds(7)),
            new Rate(1_000_003, Duration.ofMinutes(1)),
            new Rate(1_000_000, Duration.ofSeconds(1)),
            new Rate(999_983, Duration.ofHours(1)),
            new Rate(3, Duration.ofDays(1)),
            new Rate(1, Duration.ofDays(365)),
            new Rate(1_000_000_000, Duration.ofDays(1)),
            new Rate(1, Duration.ofNanos(1_000)),
            new Rate(13, Duration.ofNanos(17_000)),
            new Rate(60, Duration.ofMinutes(1)),
            new Rate(2, Duration.ofDays(36_600)));

    private static final List<ZoneId> ZONES = List.of(
            ZoneId.of("America/New_York"),
            ZoneId.of("Europe/Berlin"),
            ZoneId.of("Asia/Tokyo"),
            ZoneId.of("Pacific/Apia"),
            ZoneId.of("America/Sao_Paulo"),
            ZoneId.of("UTC"));

    private static final List<Duration> WINDOWS = List.of(
            Duration.ofNanos(1_000),
            Duration.ofNanos(17_000),
            Duration.ofNanos(999_983_000),
            Duration.ofSeconds(1),
            Duration.ofSeconds(7),
            Duration.ofMinutes(1),
            Duration.ofHours(1),
            Duration.ofDays(1),
            Duration.ofDays(7),
            Duration.ofDays(365),
            Duration.ofDays(36_600));

    private static final List<Duration> TERMS = List.of(
            Duration.ofMillis(1),
            Duration.ofMillis(250),
            Duration.ofSeconds(1),
            Duration.ofSeconds(30),
            Duration.ofHours(1),
            Duration.ofDays(3));

    private static final long[] AMOUNTS = {
        1, 1, 2, 3, 5, 7, 10, 64, 100, 1_000, 1_000_003, 1_000_000_000, 1_000_000_000_000L, 1L << 52
    };
    private static final long[] LOG_AMOUNTS = {1, 2, 3, 5, 7, 10, 30, SlidingLog.MOST};
    private static final long[] SLOTS = {1, 2, 3, 5, 10, 4_095, 5_000, Concurrency.MOST};
    private static final long[] STRIKES = {1, 1, 2, 3, 10, 1L << 52};
    private static final int KINDS = 8;

    private final SplittableRandom random;

    /** Creates a pool that draws from the source of random numbers. */
    public LimitPool(SplittableRandom random) {
        this.random = random;
    }

    /** Returns limits with different numbers that share an account. */
    public List<Limit> versions(int count) {
        int kind = random.nextInt(KINDS);
        Limit first = any(kind);
        List<Limit> versions = new ArrayList<>();
        versions.add(first);
        for (int tries = 0; versions.size() < count && tries < 200; tries++) {
            Limit other = tries % 2 == 0 ? any(kind) : near(first);
            if (other.rule().shape().equals(first.rule().shape())) {
                versions.add(other.unit(first.unit()));
            }
        }
        return versions;
    }

    /** Returns a random lifetime for permits. */
    public Duration term() {
        return oneOf(TERMS);
    }

    /** Returns a random element of the list. */
    public <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private Limit any(int kind) {
        Optional<Limit> limit = Optional.empty();
        while (limit.isEmpty()) {
            limit = ifExact(() -> Limit.of(algorithm(kind))).flatMap(plain -> ifExact(() -> dressed(plain)));
        }
        return limit.get();
    }

    /** Returns the limit; empty if its numbers cannot be counted exactly, which the constructor reports. */
    private static Optional<Limit> ifExact(Supplier<Limit> made) {
        try {
            return Optional.of(made.get());
        } catch (IllegalArgumentException notExact) {
            return Optional.empty();
        }
    }

    /** Sometimes adds a maximum debt and another unit. */
    private Limit dressed(Limit plain) {
        if (plain.algorithm() instanceof Concurrency || plain.algorithm() instanceof Lockout) {
            return plain;
        }
        Limit limit = random.nextInt(3) == 0 ? plain.unit("tokens") : plain;
        return switch (random.nextInt(5)) {
            case 0, 1 -> limit.maxDebt(0);
            case 2 -> limit.maxDebt(1 + random.nextLong(10));
            case 3 -> limit.maxDebt(3 * limit.capacity());
            default -> limit;
        };
    }

    private Algorithm algorithm(int kind) {
        Rate rate = oneOf(RATES);
        return switch (kind) {
            case 0 -> new TokenBucket(rate.permits, rate.period, burst(rate));
            case 1 -> new LeakyBucket(rate.permits, rate.period, burst(rate));
            case 2 -> new FixedWindow(oneOf(AMOUNTS), oneOf(WINDOWS));
            case 3 -> new CalendarWindow(oneOf(AMOUNTS), oneOf(List.of(CalendarPeriod.values())), oneOf(ZONES));
            case 4 -> new SlidingWindow(oneOf(AMOUNTS), oneOf(WINDOWS));
            case 5 -> new SlidingLog(oneOf(LOG_AMOUNTS), oneOf(WINDOWS));
            case 6 -> new Concurrency(oneOf(SLOTS), oneOf(TERMS));
            default -> new Lockout(oneOf(STRIKES), oneOf(WINDOWS), oneOf(WINDOWS), "");
        };
    }

    /** Returns a limit of the same kind and window, with similar numbers. */
    private Limit near(Limit limit) {
        long amount = Math.max(1, limit.capacity() / 2 + random.nextLong(Math.min(1_000, limit.capacity()) + 2));
        return ifExact(() -> dressed(Limit.of(near(limit.algorithm(), amount)))).orElse(limit);
    }

    private Algorithm near(Algorithm algorithm, long amount) {
        if (algorithm instanceof TokenBucket bucket) {
            return new TokenBucket(oneOf(AMOUNTS), bucket.period(), amount);
        } else if (algorithm instanceof LeakyBucket bucket) {
            return new LeakyBucket(oneOf(AMOUNTS), bucket.period(), amount);
        } else if (algorithm instanceof FixedWindow window) {
            return new FixedWindow(amount, window.window());
        } else if (algorithm instanceof CalendarWindow window) {
            return new CalendarWindow(amount, window.period(), window.zone());
        } else if (algorithm instanceof SlidingWindow window) {
            return new SlidingWindow(amount, window.window());
        } else if (algorithm instanceof SlidingLog log) {
            return new SlidingLog(Math.min(amount, SlidingLog.MOST), log.window());
        }
        return algorithm instanceof Lockout lockout
                ? new Lockout(amount, oneOf(WINDOWS), lockout.lockout(), "")
                : new Concurrency(Math.min(amount, Concurrency.MOST), oneOf(TERMS));
    }

    private long burst(Rate rate) {
        return switch (random.nextInt(4)) {
            case 0 -> rate.permits;
            case 1 -> 1 + random.nextLong(10);
            default -> oneOf(AMOUNTS);
        };
    }

    private long oneOf(long[] choices) {
        return choices[random.nextInt(choices.length)];
    }
}
