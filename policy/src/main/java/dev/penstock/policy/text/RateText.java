package dev.penstock.policy.text;

import dev.penstock.algorithm.CalendarPeriod;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A count per time, as people write it: {@code 100/min}, {@code 1000 per 7s}, {@code 5 per calendar month in
 * Asia/Tokyo}.
 */
public sealed interface RateText {
    /** Returns the number of permits per period. */
    long count();

    /** A rate per fixed period, such as {@code 100/min}. */
    record Per(long count, Duration period) implements RateText {}

    /** A rate per calendar period in a time zone, such as {@code 1000 per calendar month}. */
    record PerCalendar(long count, CalendarPeriod period, ZoneId zone) implements RateText {}

    /** Describes a valid rate in an error message. */
    String EXPECTED = "a rate such as 100/min, 1000 per 7s or 5 per calendar month in Asia/Tokyo";

    Pattern FORM = Pattern.compile("([^\\s/]+)\\s*(?:/|\\s+per\\s+)\\s*(.+)");
    Pattern CALENDAR = Pattern.compile("calendar (day|week|month|year)(?: in (\\S+))?");
    Pattern CALENDAR_BEGUN = Pattern.compile("calendar (day|week|month|year) .+");

    /** Parses a rate. */
    static RateText parse(String text) throws Unexpected {
        Matcher matcher = FORM.matcher(text.trim());
        if (!matcher.matches()) {
            throw new Unexpected(EXPECTED);
        }
        long count = CountText.parse(matcher.group(1));
        if (count == 0) {
            throw new Unexpected("a rate above 0");
        }
        String time = matcher.group(2).replaceAll("\\s+", " ");
        Matcher calendar = CALENDAR.matcher(time);
        if (calendar.matches()) {
            CalendarPeriod period = CalendarPeriod.valueOf(calendar.group(1).toUpperCase(Locale.ROOT));
            return new PerCalendar(count, period, zone(calendar.group(2)));
        }
        if (time.contains("calendar")) {
            boolean begun = CALENDAR_BEGUN.matcher(time + " ").matches() && !time.matches(".*(day|week|month|year)");
            throw new Unexpected("per calendar day, week, month or year"
                    + (begun ? ", optionally followed by in and a time zone" : ""));
        }
        return new Per(count, duration(time));
    }

    private static Duration duration(String text) throws Unexpected {
        if (text.matches(".*(month|year)s?")) {
            throw new Unexpected(
                    "per calendar month or per calendar year, or a number of days, because months and years vary in"
                            + " length");
        }
        if (!text.matches("[a-zA-Z]+")) {
            return DurationText.parse(text);
        }
        Duration unit = DurationText.unit(text);
        if (unit == null) {
            throw new Unexpected(DurationText.UNITS_EXPECTED);
        }
        return unit;
    }

    private static ZoneId zone(@Nullable String name) throws Unexpected {
        try {
            return name == null ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException e) {
            String nearest = Nearest.of(String.valueOf(name), ZoneId.getAvailableZoneIds());
            String hint = nearest == null ? "" : "; did you mean " + nearest + "?";
            throw new Unexpected("a time zone such as Europe/Berlin or UTC" + hint);
        }
    }
}
