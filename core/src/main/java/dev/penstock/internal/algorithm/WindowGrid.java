package dev.penstock.internal.algorithm;

import dev.penstock.Algorithm;
import dev.penstock.CalendarPeriod;
import dev.penstock.internal.Expect;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;

/** Where windows begin and end, in microseconds. Thread-safe. */
interface WindowGrid {
    /** The start of the window that this moment lies in. */
    long start(long micros);

    /** The end of the window that begins at {@code start}, which is the start of the next. */
    long end(long start);

    /** What tells this grid from others in an account's shape. */
    String name();

    /** Windows of one length, aligned on the epoch. */
    record Even(long lengthMicros) implements WindowGrid {
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
        public String name() {
            return lengthMicros + "us";
        }
    }

    /** Days, weeks, months or years of a time zone; a day can have 23 or 25 hours. */
    final class ByCalendar implements WindowGrid {
        private record Window(long start, long end) {}

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

        @Override
        public String name() {
            return period + "@" + zone;
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
