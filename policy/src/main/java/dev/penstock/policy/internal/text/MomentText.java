package dev.penstock.policy.internal.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** A moment as people write it: {@code 2026-12-24T18:00:00Z}, or a day's beginning in UTC, {@code 2026-12-24}. */
public final class MomentText {
    public static final String EXPECTED = "a day such as 2026-12-24, or a moment such as 2026-12-24T18:00:00Z";

    private static final int LONGEST_DAY = 10;
    private static final int FIRST_YEAR = 1970;
    private static final int LAST_YEAR = 9999;

    private MomentText() {}

    /** The moment, from 1970 on: a year of four digits. */
    public static Instant parse(String text) throws Unexpected {
        OffsetDateTime moment = read(text).withOffsetSameInstant(ZoneOffset.UTC);
        if (moment.getYear() < FIRST_YEAR || moment.getYear() > LAST_YEAR) {
            throw new Unexpected("a moment from " + FIRST_YEAR + " to " + LAST_YEAR);
        }
        return moment.toInstant();
    }

    private static OffsetDateTime read(String text) throws Unexpected {
        try {
            return text.length() <= LONGEST_DAY
                    ? LocalDate.parse(text).atStartOfDay().atOffset(ZoneOffset.UTC)
                    : OffsetDateTime.parse(text);
        } catch (DateTimeException e) {
            throw new Unexpected(EXPECTED);
        }
    }
}
