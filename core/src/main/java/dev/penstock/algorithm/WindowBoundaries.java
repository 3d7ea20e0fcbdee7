package dev.penstock.algorithm;

import dev.penstock.internal.Expect;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Where windows begin and end, in microseconds. Thread-safe. */
interface WindowBoundaries {
    /** The start of the window that this moment lies in. */
    long start(long micros);

    /** The end of the window that begins at {@code start}, which is the start of the next. */
    long end(long start);

    /** This grid in words: what kind it is, and where windows begin in that time and a little around it. */
    String words(long fromMicros, long toMicros);

    /** Windows of one length, aligned on the epoch. */
    record Even(long lengthMicros) implements WindowBoundaries {
        Even(Duration length) {
            this(Expect.micros(length, Algorithm.LONGEST, "window"));
        }

        @Override
        public long start(long micros) {
            return micros - Math.floorMod(micros, lengthMicros);
        }

        @Override
        public long end(long start) {
            return start + lengthMicros;
        }

        @Override
        public String words(long fromMicros, long toMicros) {
            return "every " + lengthMicros;
        }
    }

    /** Days, weeks, months or years of a time zone; a day can have 23 or 25 hours. */
    final class ByCalendar implements WindowBoundaries {
        private record Window(long start, long end) {}

        /** How many windows are told beyond the time asked for: clocks differ, and go back. */
        private static final int WINDOWS_AFTER = 2;

        private final CalendarPeriod period;
        private final ZoneId zone;

        /** The window asked for last: nearly always the one asked for next. */
        private volatile Window last;

        ByCalendar(CalendarPeriod period, ZoneId zone) {
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

        /** The grid whose words begin so; null where it is not one by the calendar. */
        static @Nullable ByCalendar named(String word) {
            int at = word.indexOf('@');
            return at < 0
                    ? null
                    : new ByCalendar(CalendarPeriod.valueOf(word.substring(0, at)), ZoneId.of(word.substring(at + 1)));
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
            return ChronoUnit.MICROS.between(
                    Instant.EPOCH, day.atStartOfDay(zone).toInstant());
        }
    }
}
