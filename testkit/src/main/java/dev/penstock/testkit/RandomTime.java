package dev.penstock.testkit;

import dev.penstock.Limit;
import dev.penstock.algorithm.Algorithm;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.Concurrency;
import dev.penstock.algorithm.FixedWindow;
import dev.penstock.algorithm.LeakyBucket;
import dev.penstock.algorithm.Lockout;
import dev.penstock.algorithm.SlidingLog;
import dev.penstock.algorithm.SlidingWindow;
import dev.penstock.algorithm.TokenBucket;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/** The random times of a trace: exactly at, before and after the interesting times of its limits and answers. */
final class RandomTime {
    private static final long EARLIEST = micros(Instant.parse("1995-01-01T00:00:00Z"));
    private static final long LATEST = micros(Instant.parse("2095-01-01T00:00:00Z"));
    private static final int REMEMBERED = 6;

    /** Missing midnights, missing days, repeated hours, and ordinary days. */
    private static final List<Instant> STARTS = List.of(
            Instant.parse("2011-12-29T22:00:00Z"), // Apia skips 30 December
            Instant.parse("2018-11-03T20:00:00Z"), // no midnight in São Paulo
            Instant.parse("2018-02-17T20:00:00Z"), // 23:00 to 24:00 occurs twice in São Paulo
            Instant.parse("2025-03-08T20:00:00Z"), // daylight saving time begins in New York
            Instant.parse("2025-11-01T20:00:00Z"), // and ends
            Instant.parse("2026-03-28T20:00:00Z"), // daylight saving time begins in Berlin
            Instant.parse("2026-10-24T20:00:00Z"), // and ends
            Instant.parse("2027-12-31T10:00:00Z"),
            ManualClock.ORDINARY_MOMENT);

    private record Announced(long micros, long tickMicros) {}

    private final SplittableRandom random;
    private final List<Limit> limits;
    private final boolean goesBack;
    private final Deque<Announced> announced = new ArrayDeque<>();

    RandomTime(SplittableRandom random, List<Limit> limits, boolean goesBack) {
        this.random = random;
        this.limits = limits;
        this.goesBack = goesBack;
    }

    long startMicros() {
        if (random.nextInt(3) == 0) {
            return EARLIEST + random.nextLong((LATEST - EARLIEST) * 2 / 3);
        }
        return micros(STARTS.get(random.nextInt(STARTS.size()))) + random.nextLong(1_000_000);
    }

    /** Adds an interesting time, in a limit's tick: when to retry, or when something expires. */
    void announce(long micros, long tickMicros) {
        announced.addLast(new Announced(micros, tickMicros));
        if (announced.size() > REMEMBERED) {
            announced.removeFirst();
        }
    }

    /** Returns the time to which to set the clock next. */
    long next(long now) {
        long then = switch (random.nextInt(goesBack ? 16 : 12)) {
            case 0, 1 -> now + 1;
            case 2, 3, 4 -> besideAnnounced(now);
            case 5, 6 -> besideBoundary(now);
            case 7, 8 -> now + aFewPermits();
            case 9 -> now + span();
            case 10 -> now + 1 + random.nextLong(3_000_000);
            case 11 -> random.nextInt(6) == 0 ? now + days(1 + random.nextLong(800)) : now + span();
            case 12 -> now - 1;
            case 13 -> now - 1 - random.nextLong(2_000_000);
            case 14 -> now - aFewPermits();
            default -> random.nextInt(6) == 0 ? now - days(1 + random.nextLong(800)) : now - span();
        };
        return Math.max(EARLIEST, Math.min(LATEST, goesBack ? then : Math.max(now, then)));
    }

    /** Returns a time span of any order of magnitude, up to five hours. */
    long span() {
        long most = 1L << (1 + random.nextInt(34));
        return 1 + random.nextLong(most);
    }

    private long besideAnnounced(long now) {
        List<Announced> all = new ArrayList<>(announced);
        if (all.isEmpty()) {
            return now;
        }
        Announced one = all.get(random.nextInt(all.size()));
        return switch (random.nextInt(6)) {
            case 0 -> one.micros - 1;
            case 1 -> one.micros - one.tickMicros;
            case 2 -> one.micros + 1;
            default -> one.micros;
        };
    }

    private long besideBoundary(long now) {
        Limit limit = limits.get(random.nextInt(limits.size()));
        long boundary;
        if (limit.algorithm() instanceof FixedWindow || limit.algorithm() instanceof CalendarWindow) {
            boundary = ReferenceFixedWindow.end(limit, ReferenceFixedWindow.start(limit, now));
        } else {
            long length = lengthMicros(limit.algorithm());
            boundary = (Math.floorDiv(now, length) + 1) * length;
        }
        return switch (random.nextInt(4)) {
            case 0 -> boundary - 1;
            case 1 -> boundary + 1;
            case 2 -> now + (boundary - now) / 2;
            default -> boundary;
        };
    }

    private long aFewPermits() {
        Limit limit = limits.get(random.nextInt(limits.size()));
        long each = Math.max(1, lengthMicros(limit.algorithm()) / permits(limit.algorithm()));
        return random.nextLong(4 * Math.min(each, days(3_000)));
    }

    private static long permits(Algorithm algorithm) {
        if (algorithm instanceof TokenBucket bucket) {
            return bucket.permits();
        }
        return algorithm instanceof LeakyBucket bucket ? bucket.permits() : algorithm.capacity();
    }

    private long lengthMicros(Algorithm algorithm) {
        Duration length;
        if (algorithm instanceof TokenBucket bucket) {
            length = bucket.period();
        } else if (algorithm instanceof LeakyBucket bucket) {
            length = bucket.period();
        } else if (algorithm instanceof SlidingWindow window) {
            length = window.window();
        } else if (algorithm instanceof SlidingLog log) {
            length = log.window();
        } else if (algorithm instanceof FixedWindow window) {
            length = window.window();
        } else if (algorithm instanceof Lockout lockout) {
            length = random.nextBoolean() ? lockout.window() : lockout.lockout();
        } else {
            length = algorithm instanceof Concurrency slots ? slots.ttl() : Duration.ofDays(1);
        }
        return length.toNanos() / 1_000;
    }

    private static long days(long days) {
        return Duration.ofDays(days).toNanos() / 1_000;
    }

    private static long micros(Instant moment) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
    }
}
