package dev.penstock.policy.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;

/** Parses a time as people write it: {@code 2026-12-24T18:00:00Z}, or the start of a day in UTC, {@code 2026-12-24}. */
public final class MomentText {
    /** Describes a valid time in an error message. */
    public static final String EXPECTED = "a day such as 2026-12-24, or a moment such as 2026-12-24T18:00:00Z";

    private static final int LONGEST_DAY = 10;
    private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

    private MomentText() {}

    /** Returns the time. */
    public static Instant parse(String text) throws Unexpected {
        try {
            Instant moment = text.length() <= LONGEST_DAY
                    ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                    : OffsetDateTime.parse(text).toInstant();
            if (moment.isBefore(LAST) && !moment.isBefore(Instant.EPOCH)) {
                return moment;
            }
        } catch (DateTimeException e) {
            // reported below
        }
        throw new Unexpected(EXPECTED);
    }
}
