package dev.penstock.policy.internal.text;

import dev.penstock.CalendarPeriod;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** So many in a time, as people write it: {@code 100/min}, {@code 1000 per 7s}, {@code 5 per calendar month in Asia/Tokyo}. */
public sealed interface Rate {
    long count();

    record Per(long count, Duration period) implements Rate {}

    record PerCalendar(long count, CalendarPeriod period, ZoneId zone) implements Rate {}

    /** What an error says was expected. */
    String EXPECTED = "a rate such as 100/min, 1000 per 7s or 5 per calendar month in Asia/Tokyo";

    Pattern FORM = Pattern.compile("([^\\s/]+)\\s*(?:/|\\s+per\\s+)\\s*(.+)");
    Pattern CALENDAR = Pattern.compile("calendar\\s+(\\S+)(?:\\s+in\\s+(\\S+))?");

    static Rate parse(String text) throws Unexpected {
        Matcher matcher = FORM.matcher(text.strip());
        if (!matcher.matches()) {
            throw new Unexpected(EXPECTED);
        }
        long count = CountText.parse(matcher.group(1));
        if (count == 0) {
            throw new Unexpected("a rate above 0");
        }
        String time = matcher.group(2);
        Matcher calendar = CALENDAR.matcher(time);
        if (calendar.matches()) {
            return new PerCalendar(count, calendarPeriod(calendar.group(1)), zone(calendar.group(2)));
        }
        return new Per(count, duration(time));
    }

    private static Duration duration(String text) throws Unexpected {
        if (text.matches("[a-zA-Z]+")) {
            Duration unit = DurationText.unit(text);
            if (unit == null) {
                throw new Unexpected(DurationText.expectation(text));
            }
            return unit;
        }
        return DurationText.parse(text);
    }

    private static CalendarPeriod calendarPeriod(String word) throws Unexpected {
        try {
            return CalendarPeriod.valueOf(word.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new Unexpected("per calendar day, week, month or year");
        }
    }

    private static ZoneId zone(@Nullable String name) throws Unexpected {
        try {
            return name == null ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException e) {
            throw new Unexpected("a time zone such as Europe/Berlin or UTC");
        }
    }
}
