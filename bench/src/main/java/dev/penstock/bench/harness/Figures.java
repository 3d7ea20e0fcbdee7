package dev.penstock.bench.harness;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Formats numbers independently of the machine's locale. */
public final class Figures {
    private Figures() {}

    /** Formats millions with about three significant digits; a dash for a value that is not finite. */
    static String millions(double value) {
        if (!Double.isFinite(value)) {
            return "-";
        }
        double millions = value / 1e6;
        return String.format(Locale.ROOT, millions < 10 ? "%.2f" : "%.1f", millions);
    }

    /** Formats with a comma between thousands; a dash for a value that is not finite. */
    static String grouped(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%,.0f", value) : "-";
    }

    static String twoDigits(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    /** Formats without decimals; a dash for a value that is not finite. */
    static String whole(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%.0f", value) : "-";
    }

    /** Rounds to this number of decimals, for files; null for a value that is not finite. */
    public static @Nullable BigDecimal rounded(double value, int digits) {
        return Double.isFinite(value) ? BigDecimal.valueOf(value).setScale(digits, RoundingMode.HALF_UP) : null;
    }
}
