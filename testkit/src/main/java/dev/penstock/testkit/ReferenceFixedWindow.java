package dev.penstock.testkit;

import dev.penstock.Limit;
import dev.penstock.algorithm.CalendarPeriod;
import dev.penstock.algorithm.CalendarWindow;
import dev.penstock.algorithm.FixedWindow;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/**
 * The fixed window, even or by calendar: the start of the counting window and the usage in it.
 *
 * <p>If the clock was set back, the stored window has not begun yet. The account continues to count in it, but never in
 * a window that is further ahead than the next one.
 */
record ReferenceFixedWindow(long startMicros, long count) implements ReferenceCounter {
    static ReferenceFixedWindow fresh() {
        return new ReferenceFixedWindow(Long.MIN_VALUE, 0);
    }

    @Override
    public Read roll(Limit limit, long now) {
        long start = start(limit, now);
        long next = end(limit, start);
        if (startMicros < start) {
            return new Read(new ReferenceFixedWindow(start, 0), false);
        }
        if (startMicros > next) {
            return new Read(new ReferenceFixedWindow(next, count), true);
        }
        return new Read(this, false);
    }

    @Override
    public boolean fits(Limit limit, Demand demand, long now) {
        return Math.addExact(count, demand.total()) <= limit.capacity();
    }

    @Override
    public ReferenceCounter charge(Limit limit, long cost, long now) {
        return new ReferenceFixedWindow(startMicros, Math.addExact(count, cost));
    }

    @Override
    public ReferenceCounter force(Limit limit, long amount, long at) {
        long start = start(limit, at);
        if (start > startMicros) {
            return new ReferenceFixedWindow(start, 0).force(limit, amount, at);
        }
        long most = Math.addExact(limit.capacity(), limit.maxDebt());
        long forced = Math.min(Math.addExact(count, amount), most);
        return new ReferenceFixedWindow(startMicros, Math.max(count, forced));
    }

    @Override
    public long forced(Limit limit, long amount, long at) {
        long before = start(limit, at) > startMicros ? 0 : count;
        return ((ReferenceFixedWindow) force(limit, amount, at)).count - before;
    }

    @Override
    public long remaining(Limit limit, long held, long now) {
        return Math.max(0, limit.capacity() - count - held);
    }

    @Override
    public long resetMicros(Limit limit, long held, long now) {
        return count == 0 ? 0 : end(limit, startMicros) - now;
    }

    @Override
    public long waitMicros(Limit limit, Demand demand, long now) {
        return end(limit, startMicros) - now;
    }

    @Override
    public boolean hasBeenUsed() {
        return startMicros != Long.MIN_VALUE;
    }

    /** Returns the start of the window that contains the time. */
    static long start(Limit limit, long micros) {
        if (limit.algorithm() instanceof CalendarWindow calendar) {
            LocalDate day = LocalDate.ofInstant(Instant.EPOCH.plus(micros, ChronoUnit.MICROS), calendar.zone());
            return startOfDay(firstDay(day, calendar.period()), calendar.zone());
        }
        long length = lengthMicros(limit);
        return Math.floorDiv(micros, length) * length;
    }

    /** Returns the end of the window that begins at this time. */
    static long end(Limit limit, long startMicros) {
        if (limit.algorithm() instanceof CalendarWindow calendar) {
            LocalDate day = LocalDate.ofInstant(Instant.EPOCH.plus(startMicros, ChronoUnit.MICROS), calendar.zone());
            LocalDate first = firstDay(day, calendar.period());
            LocalDate next = switch (calendar.period()) {
                case DAY -> first.plusDays(1);
                case WEEK -> first.plusDays(7);
                case MONTH -> first.plusMonths(1);
                case YEAR -> LocalDate.of(first.getYear() + 1, 1, 1);
            };
            return startOfDay(next, calendar.zone());
        }
        return startMicros + lengthMicros(limit);
    }

    private static LocalDate firstDay(LocalDate day, CalendarPeriod period) {
        return switch (period) {
            case DAY -> day;
            case WEEK -> day.minusDays(day.getDayOfWeek().getValue() - 1L);
            case MONTH -> LocalDate.of(day.getYear(), day.getMonth(), 1);
            case YEAR -> LocalDate.of(day.getYear(), 1, 1);
        };
    }

    private static long startOfDay(LocalDate day, ZoneId zone) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, day.atStartOfDay(zone).toInstant());
    }

    private static long lengthMicros(Limit limit) {
        if (limit.algorithm() instanceof FixedWindow window) {
            return window.window().toNanos() / 1_000;
        }
        throw new IllegalArgumentException("limit: " + limit + " (expected: a fixed window)");
    }
}
