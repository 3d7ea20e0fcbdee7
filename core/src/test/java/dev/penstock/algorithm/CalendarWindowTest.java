package dev.penstock.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.Decision;
import dev.penstock.Limit;
import dev.penstock.Limiter;
import dev.penstock.Policy;
import dev.penstock.Request;
import dev.penstock.engine.MemoryEngine;
import dev.penstock.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calendar windows, on days of unusual length. */
class CalendarWindowTest {
    private final ManualClock clock = new ManualClock();

    @ParameterizedTest(name = "{0} {1} at {2} ends after {3}")
    @CsvSource({
        "DAY,   UTC,               2026-05-10T00:00:00Z,        PT24H",
        "DAY,   America/New_York,  2026-03-08T05:00:00Z,        PT23H", // clocks go forward
        "DAY,   America/New_York,  2026-11-01T04:00:00Z,        PT25H", // and back
        "DAY,   Europe/Berlin,     2026-03-28T23:00:00Z,        PT23H",
        "DAY,   America/Sao_Paulo, 2018-11-04T03:00:00Z,        PT23H", // midnight itself is skipped
        "DAY,   Pacific/Apia,      2011-12-30T09:59:59.999999Z, PT0.000001S", // the 29th ends, and there is no 30th
        "DAY,   Asia/Kathmandu,    2026-05-09T18:15:00Z,        PT24H",
        "WEEK,  UTC,               2026-11-15T23:59:59Z,        PT1S", // a Sunday
        "WEEK,  Europe/Berlin,     2026-03-22T23:00:00Z,        PT167H",
        "MONTH, Asia/Tokyo,        2026-01-31T14:59:59Z,        PT1S",
        "MONTH, UTC,               2024-02-01T00:00:00Z,        PT696H", // 29 days
        "YEAR,  UTC,               2024-01-01T00:00:00Z,        PT8784H",
        "YEAR,  Asia/Tokyo,        2025-12-31T15:00:00Z,        PT8760H",
    })
    void reset_isTheEndOfTheCalendarPeriod(CalendarPeriod period, ZoneId zone, Instant at, Duration left) {
        Limiter limiter = limiter(Limit.calendarWindow(1, period, zone));
        clock.set(at);
        assertThat(limiter.decide(Request.empty()).binding().resetAfter()).isEqualTo(left);
        clock.advance(left.minusNanos(1_000));
        Decision before = limiter.decide(Request.empty());
        assertThat(before.isAllowed()).isFalse();
        clock.advance(Duration.ofNanos(1_000));
        assertThat(limiter.decide(Request.empty()).isAllowed()).isTrue();
    }

    @Test
    void everyDayOfAYearWithDaylightSaving_allowsExactlyOnce() {
        Limiter limiter = limiter(Limit.calendarWindow(3, CalendarPeriod.DAY, ZoneId.of("America/New_York")));
        clock.set(Instant.parse("2026-01-01T05:00:00Z"));
        int admitted = 0;
        for (int quarterHours = 0; quarterHours < 365 * 96; quarterHours++) {
            admitted += limiter.decide(Request.empty()).isAllowed() ? 1 : 0;
            clock.advance(Duration.ofMinutes(15));
        }
        assertThat(admitted).isEqualTo(365 * 3);
    }

    private Limiter limiter(Limit limit) {
        return Limiter.builder(Policy.setOf(Policy.named("p").limit(limit)))
                .engine(MemoryEngine.builder().clock(clock).build())
                .build();
    }
}
