package dev.penstock.bench.soak;

import dev.penstock.bench.harness.Json;
import dev.penstock.bench.harness.LinePlot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The result of a soak.
 *
 * @param samples the samples of each service
 * @param outcomes the number of answers by outcome
 * @param changes how often the policies were changed
 * @param faults how many faults the store had
 * @param firstError the first request that got an error; null if none did
 */
record SoakReport(
        SoakOptions options,
        List<List<Sample>> samples,
        Map<String, Long> outcomes,
        int changes,
        int faults,
        @Nullable String firstError) {
    private static final long MEGABYTE = 1 << 20;
    private static final long HEAP_ALLOWANCE = 16 * MEGABYTE;
    private static final long THREADS_ALLOWANCE = 4;
    private static final long DESCRIPTORS_ALLOWANCE = 16;

    /** The settings of a soak that differ from the defaults, with the reason. */
    private static final String NOT_DEFAULT =
            "a heap of 256 MB with the serial collector, so that a small leak shows; a Redis of at most 64 MB";

    List<Flatness> flatness() {
        List<Flatness> all = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            String service = "service " + (i + 1) + ", ";
            List<Sample> of = samples.get(i);
            all.add(Flatness.of(service + "heap (bytes)", of, Sample::heapBytes, HEAP_ALLOWANCE));
            all.add(Flatness.of(service + "threads", of, Sample::threads, THREADS_ALLOWANCE));
            all.add(Flatness.of(service + "descriptors", of, Sample::descriptors, DESCRIPTORS_ALLOWANCE));
        }
        return all;
    }

    boolean isGood() {
        return firstError == null && flatness().stream().allMatch(Flatness::isFlat);
    }

    String table() {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT,
                "%d minutes, %d requests per second, %d policy changes, %d store faults%n%n",
                options.length().toMinutes(),
                options.perSecond(),
                changes,
                faults));
        text.append("not default: ").append(NOT_DEFAULT).append("\n\n");
        text.append(String.format("%-30s %14s %14s %14s%n", "used", "early", "late", "bound"));
        for (Flatness each : flatness()) {
            text.append(String.format(
                    Locale.ROOT,
                    "%-30s %,14d %,14d %,14d%s%n",
                    each.what(),
                    each.early(),
                    each.late(),
                    each.most(),
                    each.isFlat() ? "" : "  NOT FLAT"));
        }
        text.append(String.format("%n%-40s %14s%n", "answers", "count"));
        outcomes.forEach((outcome, count) -> text.append(String.format(Locale.ROOT, "%-40s %,14d%n", outcome, count)));
        if (firstError != null) {
            text.append("\nthe first error: ").append(firstError).append('\n');
        }
        return text.toString();
    }

    String json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("not_default", NOT_DEFAULT);
        map.put("minutes", options.length().toMinutes());
        map.put("requests_per_second", options.perSecond());
        map.put("policy_changes", changes);
        map.put("store_faults", faults);
        map.put("good", isGood());
        List<Object> used = new ArrayList<>();
        for (Flatness each : flatness()) {
            used.add(Map.of("what", each.what(), "early", each.early(), "late", each.late(), "flat", each.isFlat()));
        }
        map.put("used", used);
        map.put("answers", outcomes);
        return Json.text(map);
    }

    String svg() {
        List<LinePlot.Panel> panels = List.of(
                panel("heap after a garbage collection (MiB)", sample -> (double) sample.heapBytes() / MEGABYTE),
                panel("threads", Sample::threads),
                panel("descriptors", Sample::descriptors));
        return LinePlot.svg("penstock soak: resources used by two services", "minutes", panels);
    }

    private LinePlot.Panel panel(String title, ToDoubleFunction<Sample> figure) {
        List<LinePlot.Line> lines = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            List<LinePlot.Point> points = samples.get(i).stream()
                    .map(sample -> new LinePlot.Point(sample.seconds() / 60.0, figure.applyAsDouble(sample)))
                    .toList();
            lines.add(new LinePlot.Line("service " + (i + 1), points));
        }
        return new LinePlot.Panel(title, lines);
    }
}
