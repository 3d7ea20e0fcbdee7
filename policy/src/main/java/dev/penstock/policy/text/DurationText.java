package dev.penstock.policy.text;

import dev.penstock.algorithm.Algorithm;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses durations as people write them: {@code 30s}, {@code 1h30m}, {@code 500ms}, {@code 2 weeks}. */
public final class DurationText {
    static final String UNITS_EXPECTED = "a time in us, ms, s, m, h, d or w";
    private static final Pattern PART = Pattern.compile("(\\d{1,12}) ?([a-z]+) ?");

    private static final Map<String, Duration> UNITS = Map.ofEntries(
            Map.entry("us", Duration.ofNanos(1_000)),
            Map.entry("ms", Duration.ofMillis(1)),
            Map.entry("s", Duration.ofSeconds(1)),
            Map.entry("sec", Duration.ofSeconds(1)),
            Map.entry("second", Duration.ofSeconds(1)),
            Map.entry("m", Duration.ofMinutes(1)),
            Map.entry("min", Duration.ofMinutes(1)),
            Map.entry("minute", Duration.ofMinutes(1)),
            Map.entry("h", Duration.ofHours(1)),
            Map.entry("hour", Duration.ofHours(1)),
            Map.entry("d", Duration.ofDays(1)),
            Map.entry("day", Duration.ofDays(1)),
            Map.entry("w", Duration.ofDays(7)),
            Map.entry("week", Duration.ofDays(7)));

    private DurationText() {}

    /** Returns the duration, which must be above zero. */
    public static Duration parse(String text) throws Unexpected {
        Matcher matcher = PART.matcher(text);
        Duration sum = Duration.ZERO;
        int end = 0;
        while (matcher.find() && matcher.start() == end) {
            Duration unit = unit(matcher.group(2));
            if (unit == null) {
                throw new Unexpected(expectation(matcher.group(2)));
            }
            sum = sum.plus(times(unit, Long.parseLong(matcher.group(1))));
            if (sum.compareTo(Algorithm.LONGEST) > 0) {
                throw tooLong();
            }
            end = matcher.end();
        }
        if (end != text.length() || end == 0) {
            throw new Unexpected("a time such as 30s, 10m, 1h30m or 500ms");
        }
        if (sum.isZero()) {
            throw new Unexpected("a time above 0");
        }
        return sum;
    }

    private static Duration times(Duration unit, long count) throws Unexpected {
        if (count > Algorithm.LONGEST.dividedBy(unit)) {
            throw tooLong();
        }
        return unit.multipliedBy(count);
    }

    private static Unexpected tooLong() {
        return new Unexpected("a time up to " + Algorithm.LONGEST.toDays() + "d");
    }

    /** Returns the unit with this name, in singular, plural or short form. */
    static @Nullable Duration unit(String word) {
        Duration unit = UNITS.get(word);
        boolean plural = unit == null && word.length() > 3 && word.endsWith("s");
        return plural ? UNITS.get(word.substring(0, word.length() - 1)) : unit;
    }

    private static String expectation(String word) {
        boolean months = word.startsWith("month") || word.startsWith("year");
        return months ? UNITS_EXPECTED + "; months vary in length, so write 30d" : UNITS_EXPECTED;
    }
}
