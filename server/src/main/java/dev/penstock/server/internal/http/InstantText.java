package dev.penstock.server.internal.http;

import java.time.Instant;

/**
 * Formats instants like {@link Instant#toString}. It caches the text of the current second, of which only the fraction
 * varies.
 *
 * <p>Thread-safe.
 */
final class InstantText {
    private static final int NANOS_A_MICRO = 1_000;
    private static final int NANOS_A_MILLI = 1_000_000;
    private static final int MICROS_A_SECOND = 1_000_000;

    /** A second, and its text up to the fraction. */
    private record Second(long number, String text) {
        static Second of(long number) {
            String text = Instant.ofEpochSecond(number).toString();
            return new Second(number, text.substring(0, text.length() - 1));
        }
    }

    private volatile Second last = Second.of(0);

    String of(Instant moment) {
        int nanos = moment.getNano();
        if (nanos % NANOS_A_MICRO != 0 || nanos % NANOS_A_MILLI == 0) { // rare, and of different length
            return moment.toString();
        }
        Second second = last;
        if (second.number != moment.getEpochSecond()) {
            second = Second.of(moment.getEpochSecond());
            last = second;
        }
        String digits = Integer.toString(MICROS_A_SECOND + nanos / NANOS_A_MICRO);
        return new StringBuilder(second.text.length() + digits.length() + 1)
                .append(second.text)
                .append('.')
                .append(digits, 1, digits.length())
                .append('Z')
                .toString();
    }
}
