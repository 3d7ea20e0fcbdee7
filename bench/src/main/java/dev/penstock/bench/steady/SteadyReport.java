package dev.penstock.bench.steady;

import dev.penstock.bench.harness.Json;
import dev.penstock.bench.harness.Machine;
import dev.penstock.bench.harness.SourceTree;
import dev.penstock.bench.harness.Wanted;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The results of a run, as a table and as JSON.
 *
 * @param conditions the conditions that were the same for all cases, by their names in JSON
 */
record SteadyReport(
        SourceTree tree, Instant date, boolean isQuick, Map<String, Object> conditions, List<SteadyResult> results) {
    private static final List<String> COLUMNS = List.of(
            SteadyResult.REQUESTS,
            SteadyResult.DENIED,
            SteadyResult.FAILED,
            SteadyResult.OVERLOADED,
            SteadyResult.FALLBACK_ENTRIES,
            SteadyResult.FALLBACK_SECONDS,
            SteadyResult.P50,
            SteadyResult.P99,
            SteadyResult.MAX);
    private static final List<String> TITLES = List.of(
            "requests", "denied", "failed", "overloaded", "fallbacks", "fallback s", "p50 ms", "p99 ms", "max ms");
    private static final Set<String> TOLD_ELSEWHERE = Set.copyOf(COLUMNS);

    SteadyReport {
        results = List.copyOf(results);
    }

    /** Returns one line with the measurements of a case that has just ended. */
    static String line(SteadyResult result) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < COLUMNS.size(); i++) {
            double value = result.figure(COLUMNS.get(i));
            if (Double.isFinite(value)) {
                text.append(TITLES.get(i)).append(' ').append(number(value)).append("  ");
            }
        }
        result.figures().forEach((name, value) -> {
            if (!TOLD_ELSEWHERE.contains(name) && result.wanted().containsKey(name)) {
                text.append(name).append(' ').append(number(value)).append("  ");
            }
        });
        return text.append(verdict(result)).toString();
    }

    /** Returns a table of all cases, other bounds, and the conditions. */
    String table() {
        StringBuilder text = new StringBuilder();
        text.append(String.format("%-18s", "case"));
        TITLES.forEach(title -> text.append(String.format("%11s", title)));
        text.append("  expected, and what is not as expected\n");
        for (SteadyResult result : results) {
            text.append(String.format("%-18s", result.name()));
            COLUMNS.forEach(column -> text.append(String.format("%11s", number(result.figure(column)))));
            text.append("  ")
                    .append(wanted(result))
                    .append(": ")
                    .append(verdict(result))
                    .append('\n');
        }
        text.append('\n');
        for (SteadyResult result : results) {
            List<String> others = new ArrayList<>();
            result.figures().forEach((name, value) -> {
                if (!TOLD_ELSEWHERE.contains(name)) {
                    others.add(name + " " + number(value));
                }
            });
            text.append(String.format("%-18s%s%n", result.name(), String.join(", ", others)));
        }
        text.append('\n');
        conditions.forEach(
                (name, value) -> text.append(name).append(": ").append(value).append('\n'));
        return text.append(Machine.here()).append('\n').toString();
    }

    /** Returns the bounds, with measurements of the same bound together: {@code denied, failed <= 0}. */
    private static String wanted(SteadyResult result) {
        Map<String, List<String>> byBound = new LinkedHashMap<>();
        for (String figure : result.figures().keySet()) {
            Wanted bound = result.wanted().get(figure);
            if (bound != null) {
                byBound.computeIfAbsent(bound.toString(), unused -> new ArrayList<>())
                        .add(figure);
            }
        }
        List<String> parts = new ArrayList<>();
        byBound.forEach((bound, figures) -> parts.add(String.join(", ", figures) + " " + bound));
        return parts.isEmpty() ? "nothing" : String.join("; ", parts);
    }

    private static String verdict(SteadyResult result) {
        return result.complaints().isEmpty() ? "ok" : String.join(", ", result.complaints());
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        if (Double.isInfinite(value)) {
            return "never";
        }
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, value < 10 ? "%.2f" : "%,.1f", value);
    }

    String json() {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("benchmark", "steady");
        map.put("date", date.toString());
        map.put("commit", tree.commit().orElse("unknown"));
        map.put("dirty", tree.dirty());
        map.put("machine", Machine.here().asMap());
        map.put("settings", isQuick ? "quick" : "careful");
        map.putAll(conditions);
        map.put("cases", results.stream().map(SteadyResult::asMap).toList());
        return Json.text(map);
    }
}
