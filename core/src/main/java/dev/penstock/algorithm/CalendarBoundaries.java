package dev.penstock.algorithm;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/**
 * The boundaries of calendar windows: days, weeks, months or years of a time zone. A window starts when its first day
 * starts in that zone, so a day can have 23 or 25 hours. Thread-safe.
 */
final class CalendarBoundaries implements WindowBoundaries {
    private record Window(long start, long end) {}

    /** Number of windows reported after the requested time, because clocks differ and can be set back. */
    private static final int WINDOWS_AFTER = 2;

    private final CalendarPeriod period;
    private final ZoneId zone;

    /** The most recent window, which is nearly always the one requested next. */
    private volatile Window last;

    CalendarBoundaries(CalendarPeriod period, ZoneId zone) {
        this.period = period;
        this.zone = zone;
        this.last = window(0);
    }

    @Override
    public long start(long micros) {
        return windowAt(micros).start;
    }

    @Override
    public long end(long start) {
        return windowAt(start).end;
    }

    /** Returns the calendar whose text form starts with this word, or null if the word does not name a calendar. */
    static @Nullable CalendarBoundaries named(String word) {
        int at = word.indexOf('@');
        return at < 0
                ? null
                : new CalendarBoundaries(
                        CalendarPeriod.valueOf(word.substring(0, at)), ZoneId.of(word.substring(at + 1)));
    }

    @Override
    public String words(long fromMicros, long toMicros) {
        StringBuilder words = new StringBuilder(period + "@" + zone);
        long start = start(Math.max(0, start(fromMicros) - 1));
        for (int after = 0; after <= WINDOWS_AFTER; ) {
            words.append(' ').append(start);
            after += start > toMicros ? 1 : 0;
            start = end(start);
        }
        return words.toString();
    }

    private Window windowAt(long micros) {
        Window window = last;
        if (micros < window.start || micros >= window.end) {
            window = window(micros);
            last = window;
        }
        return window;
    }

    private Window window(long micros) {
        Instant moment = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
        LocalDate first = period.firstDay(LocalDate.ofInstant(moment, zone));
        return new Window(micros(first), micros(period.next(first)));
    }

    private long micros(LocalDate day) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, day.atStartOfDay(zone).toInstant());
    }
}
