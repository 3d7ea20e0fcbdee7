package dev.penstock.bench.harness;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How numbers are written, the same whatever the machine's language. */
public final class Figures {
    private Figures() {}

    /** Millions, with so many digits that three of them say something; a dash for what is not a number. */
    static String millions(double value) {
        if (!Double.isFinite(value)) {
            return "-";
        }
        double millions = value / 1e6;
        return String.format(Locale.ROOT, millions < 10 ? "%.2f" : "%.1f", millions);
    }

    /** With a comma between thousands; a dash for what is not a number. */
    static String grouped(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%,.0f", value) : "-";
    }

    static String twoDigits(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** A dash for what is not a number. */
    static String whole(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.0f", value) : "-";
    }

    /** For files: rounded to so many digits after the point; null for what is not a number. */
    public static @Nullable BigDecimal rounded(double value, int digits) {
        return Double.isFinite(value) ? BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP) : null;
    }
}
