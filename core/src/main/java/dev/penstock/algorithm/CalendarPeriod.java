package dev.penstock.algorithm;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;

/** A calendar period. Its length depends on its position in the calendar. */
public enum CalendarPeriod {
    DAY {
        @Override
        public LocalDate firstDay(LocalDate day) {
            return day;
        }

        @Override
        public LocalDate next(LocalDate firstDay) {
            return firstDay.plusDays(1);
        }
    },
    /** Monday to Sunday, as in ISO 8601. */
    WEEK {
        @Override
        public LocalDate firstDay(LocalDate day) {
            return day.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
        }

        @Override
        public LocalDate next(LocalDate firstDay) {
            return firstDay.plusWeeks(1);
        }
    },
    MONTH {
        @Override
        public LocalDate firstDay(LocalDate day) {
            return day.withDayOfMonth(1);
        }

        @Override
        public LocalDate next(LocalDate firstDay) {
            return firstDay.plusMonths(1);
        }
    },
    YEAR {
        @Override
        public LocalDate firstDay(LocalDate day) {
            return day.withDayOfYear(1);
        }

        @Override
        public LocalDate next(LocalDate firstDay) {
            return firstDay.plusYears(1);
        }
    };

    /** Returns the first day of the period that contains {@code day}. */
    public abstract LocalDate firstDay(LocalDate day);

    /** Returns the first day of the next period. */
    public abstract LocalDate next(LocalDate firstDay);
}
