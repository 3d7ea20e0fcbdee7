package dev.penstock.algorithm;

import dev.penstock.Costs;
import dev.penstock.internal.Expect;
import java.time.ZoneId;
import java.util.Locale;

/**
 * At most {@code permits} in each calendar day, week, month or year of a time zone. Days follow daylight saving time.
 */
public record CalendarWindow(long permits, CalendarPeriod period, ZoneId zone) implements Algorithm {
    public CalendarWindow {
        Expect.between(permits, 1, Costs.MAX, "permits");
        Expect.present(period, "period");
        Expect.present(zone, "zone");
    }

    /** Returns the name of a fixed window, because a calendar window is a fixed window whose length varies. */
    @Override
    public String word() {
        return "fixed_window";
    }

    @Override
    public long capacity() {
        return permits;
    }

    @Override
    public String span() {
        return period.name().toLowerCase(Locale.ROOT) + "@" + zone;
    }

    @Override
    public CalendarWindow share(int nodes) {
        return new CalendarWindow(Math.max(1, permits / nodes), period, zone);
    }
}
