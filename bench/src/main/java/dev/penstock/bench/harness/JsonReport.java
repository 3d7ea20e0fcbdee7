package dev.penstock.bench.harness;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows a report as the JSON of {@code bench/results}; no path and no name of the machine goes into it. */
public final class JsonReport {
    private JsonReport() {}

    public static String text(Report report) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("benchmark", report.benchmark());
        map.put("date", report.date().toString());
        map.put("commit", report.tree().commit().orElse("unknown"));
        map.put("dirty", report.tree().dirty());
        map.put("machine", Machine.here().asMap());
        map.put("settings", settings(report.settings()));
        map.put("peers", PeerVersions.read());
        map.put("ratios", ratios(report.ratios(), ratio -> Figures.rounded(ratio.value(), 3)));
        map.put("expected", ratios(report.ratios(), Ratio::atLeast));
        map.put("ratios_by_round", ratios(report.ratios(), ratio -> rounded(ratio.rounds(), 3)));
        map.put("ratios_by_cpu_time", ratios(report.ratios(), JsonReport::byCpu));
        map.put("scores", report.scores().stream().map(JsonReport::score).toList());
        map.put("memory", report.heap().stream().map(JsonReport::heap).toList());
        return Json.text(map);
    }

    private static Map<String, Object> settings(Settings settings) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", settings.name());
        map.put("mode", "throughput");
        map.put("threads", Settings.THREADS);
        map.put("rounds", settings.rounds());
        map.put("forks_per_round", 1);
        map.put("in_ratio", length(settings.inRatio()));
        map.put("reported", length(settings.reported()));
        map.put("iteration_seconds", Settings.ITERATION_SECONDS);
        map.put("jvm_arguments", Settings.JVM_ARGUMENTS);
        map.put("profilers", List.of("gc", "cpu time"));
        map.put("memory_jvm_arguments", Settings.HEAP_JVM_ARGUMENTS);
        return map;
    }

    private static Map<String, Object> length(Settings.Length length) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("warmup_iterations", length.warmupIterations());
        map.put("iterations", length.iterations());
        return map;
    }

    private static Map<String, @Nullable Object> ratios(List<Ratio> ratios, Function<Ratio, @Nullable Object> figure) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        ratios.forEach(ratio -> map.put(ratio.name(), figure.apply(ratio)));
        return map;
    }

    private static @Nullable Object byCpu(Ratio ratio) {
        return ratio.byCpu().isPresent() ? Figures.rounded(ratio.byCpu().getAsDouble(), 3) : null;
    }

    private static Map<String, @Nullable Object> score(Score score) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("case", score.caseName());
        map.put("contender", score.contender().name());
        map.put("ops_per_second", Figures.rounded(score.opsPerSecond(), 0));
        map.put("error_99_9", Figures.rounded(score.error(), 0));
        map.put("cpu_nanos_per_op", Figures.rounded(score.cpuNanosPerOp(), 1));
        map.put("bytes_per_op", Figures.rounded(score.bytesPerOp(), 1));
        map.put("allowed_share", Figures.rounded(score.allowedShare(), 6));
        map.put(
                "ops_per_second_by_round",
                score.turns().stream()
                        .map(turn -> rounded(turn.opsPerSecond(), 0))
                        .toList());
        return map;
    }

    private static Map<String, @Nullable Object> heap(HeapPerKey heap) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("contender", heap.contender());
        map.put("keys", heap.keys());
        map.put("live_bytes", heap.liveBytes());
        map.put("bytes_per_key", Figures.rounded(heap.bytesPerKey(), 1));
        return map;
    }

    private static List<@Nullable BigDecimal> rounded(List<Double> values, int digits) {
        List<@Nullable BigDecimal> all = new ArrayList<>();
        values.forEach(value -> all.add(Figures.rounded(value, digits)));
        return all;
    }
}
