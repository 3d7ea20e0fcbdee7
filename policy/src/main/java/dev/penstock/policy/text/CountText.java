package dev.penstock.policy.text;

import dev.penstock.Costs;
import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses counts as people write them: {@code 100}, {@code 10_000}, {@code 40k}, {@code 1.5M}. */
public final class CountText {
    private static final Pattern FORM = Pattern.compile("(\\d[\\d_]{0,60}(?:\\.\\d{1,9})?)([kMG]?)");
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1_000);
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Costs.MAX);

    private CountText() {}

    /** Returns the count, which may be zero. */
    public static long parse(String text) throws Unexpected {
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches()) {
            String other = text.matches("\\d+(\\.\\d+)?m") ? "; a million is M" : "";
            throw new Unexpected("a whole number such as 100, 10_000, 40k or 1.5M" + other);
        }
        BigDecimal number = new BigDecimal(matcher.group(1).replace("_", ""));
        int power = "kMG".indexOf(matcher.group(2)) + (matcher.group(2).isEmpty() ? 0 : 1);
        BigDecimal count = number.multiply(THOUSAND.pow(power)).stripTrailingZeros();
        if (count.scale() > 0) {
            throw new Unexpected("a whole number");
        }
        if (count.compareTo(LARGEST) > 0) {
            throw new Unexpected("a number up to " + Costs.MAX);
        }
        return count.longValueExact();
    }

    /** Returns the count, which must be above zero. */
    public static long parsePositive(String text) throws Unexpected {
        long count = parse(text);
        if (count == 0) {
            throw new Unexpected("a number above 0");
        }
        return count;
    }
}
