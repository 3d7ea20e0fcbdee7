package dev.penstock.bench.steady;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The metrics of a service at one time.
 *
 * @param text in Prometheus format
 */
public record MetricsText(String text) {
    private static final String VALUE = " ([0-9.E+-]+)$";
    private static final Pattern MAX_HEAP = Pattern.compile("(?m)^jvm_memory_max_bytes\\{area=\"heap\"}" + VALUE);

    /** Returns the sum of a metric over all of its labels; 0 if there is none. */
    public double sum(String name) {
        return sum(Pattern.compile("(?m)^" + Pattern.quote(name) + "(?:\\{[^}]*})?" + VALUE));
    }

    /** Returns the sum of a metric over its series with one label, such as {@code area="heap"}. */
    public double sum(String name, String label) {
        return sum(Pattern.compile(
                "(?m)^" + Pattern.quote(name) + "\\{(?:[^}]*,)?" + Pattern.quote(label) + "(?:,[^}]*)?}" + VALUE));
    }

    private double sum(Pattern pattern) {
        double sum = 0;
        Matcher matcher = pattern.matcher(text);
        while (matcher.find()) {
            sum += Double.parseDouble(matcher.group(1));
        }
        return sum;
    }

    /** Returns the maximum heap size of the process; -1 if no metric reports it. */
    public long maxHeapBytes() {
        Matcher matcher = MAX_HEAP.matcher(text);
        return matcher.find() ? (long) Double.parseDouble(matcher.group(1)) : -1;
    }
}
