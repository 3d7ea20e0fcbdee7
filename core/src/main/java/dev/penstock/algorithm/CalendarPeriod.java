package dev.penstock.algorithm;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.temporal.TemporalAdjusters;

/** A period that people count by; its length depends on where in the calendar it lies. */
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
    /** Monday to Sunday, as ISO 8601 has it. */
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

    /** The first day of the period that {@code day} lies in. */
    public abstract LocalDate firstDay(LocalDate day);

    /** The first day of the period after the one that begins on {@code firstDay}. */
    public abstract LocalDate next(LocalDate firstDay);
}
