package dev.penstock.server;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names in a Prometheus query. Every name that is not a function, keyword or label must be a metric.
 *
 * @param metrics the names as in samples, with suffixes such as {@code _bucket}
 * @param labels the labels that are matched or grouped by
 */
record QueryText(Set<String> metrics, Set<String> labels) {
    private static final Pattern TEXT = Pattern.compile("\"[^\"]*\"");
    private static final Pattern LABEL_VALUES = Pattern.compile("label_values\\((\\w+), *(\\w+)\\)");
    private static final Pattern MATCHERS = Pattern.compile("\\{([^}]*)}");
    private static final Pattern GROUPING =
            Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right) *\\(([^)]*)\\)");
    private static final Pattern TIMES = Pattern.compile("\\[[^]]*]|\\boffset +\\w+");
    private static final Pattern NAME = Pattern.compile("\\b([A-Za-z_:][\\w:]*)\\b(?!\\s*\\()");
    private static final Set<String> KEYWORDS = Set.of("and", "or", "unless", "bool");

    static QueryText of(String query) {
        Set<String> labels = new TreeSet<>();
        String rest = TEXT.matcher(query).replaceAll("\"\"");
        Matcher values = LABEL_VALUES.matcher(rest);
        if (values.matches()) {
            return new QueryText(Set.of(values.group(1)), Set.of(values.group(2)));
        }
        rest = taken(rest, MATCHERS, labels);
        rest = taken(rest, GROUPING, labels);
        rest = TIMES.matcher(rest).replaceAll(" ");
        Set<String> metrics = new TreeSet<>();
        Matcher names = NAME.matcher(rest);
        while (names.find()) {
            if (!KEYWORDS.contains(names.group(1))) {
                metrics.add(names.group(1));
            }
        }
        return new QueryText(metrics, labels);
    }

    /** Returns the text without the matches, and adds their names to the labels. */
    private static String taken(String text, Pattern pattern, Set<String> labels) {
        Matcher found = pattern.matcher(text);
        while (found.find()) {
            for (String each : found.group(1).split(",", -1)) {
                String label = each.trim().replaceFirst("\\W.*", "");
                if (!label.isEmpty()) {
                    labels.add(label);
                }
            }
        }
        return found.replaceAll(" ");
    }
}
