package dev.penstock.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalendarBoundariesTest {
    @ParameterizedTest(name = "{0} of {1} at {2}")
    @CsvSource({
        "MONTH, America/New_York,  2026-03-15T12:00:00Z, 2026-03-01T05:00:00Z, 2026-04-01T04:00:00Z", // daylight saving
        "MONTH, Asia/Tokyo,        2026-01-31T14:59:59Z, 2025-12-31T15:00:00Z, 2026-01-31T15:00:00Z",
        "MONTH, Asia/Tokyo,        2026-01-31T15:00:00Z, 2026-01-31T15:00:00Z, 2026-02-28T15:00:00Z",
        "MONTH, UTC,               2024-02-29T23:59:59Z, 2024-02-01T00:00:00Z, 2024-03-01T00:00:00Z", // a leap year
        "DAY,   America/Sao_Paulo, 2018-11-04T12:00:00Z, 2018-11-04T03:00:00Z, 2018-11-05T02:00:00Z", // no midnight
        "WEEK,  Europe/Berlin,     2026-03-25T00:00:00Z, 2026-03-22T23:00:00Z, 2026-03-29T22:00:00Z",
    })
    void window_startsAndEndsWithADayOfTheZone(
            CalendarPeriod period, ZoneId zone, Instant at, Instant start, Instant end) {
        CalendarBoundaries boundaries = new CalendarBoundaries(period, zone);

        assertThat(boundaries.start(micros(at))).isEqualTo(micros(start));
        assertThat(boundaries.end(micros(start))).isEqualTo(micros(end));
    }

    private static long micros(Instant moment) {
        return ChronoUnit.MICROS.between(Instant.EPOCH, moment);
    }
}
