package dev.penstock.bench.harness;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Formats a report as JSON for {@code bench/results}. It contains no path and no name of the machine. */
public final class JsonReport {
    private JsonReport() {}

    public static String text(Report report) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("benchmark", report.benchmark());
        map.put("date", report.date().toString());
        map.put("commit", report.tree().commit().orElse("unknown"));
        map.put("dirty", report.tree().dirty());
        map.put("machine", Machine.here().asMap());
        map.put("settings", settings(report));
        map.put("peers", PeerVersions.read());
        map.put("ratios", ratios(report.ratios(), ratio -> Figures.rounded(ratio.value(), 3)));
        map.put("expected", wanted(report.ratios(), Wanted.Bound.AT_LEAST));
        map.put("expected_at_most", wanted(report.ratios(), Wanted.Bound.AT_MOST));
        map.put("ratios_by_round", ratios(report.ratios(), ratio -> rounded(ratio.rounds(), 3)));
        map.put("ratios_by_cpu_time", ratios(report.ratios(), JsonReport::byCpu));
        map.put("scores", report.scores().stream().map(JsonReport::score).toList());
        map.put("memory", report.memory().stream().map(JsonReport::memory).toList());
        return Json.text(map);
    }

    private static Map<String, Object> settings(Report report) {
        Settings settings = report.settings();
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", settings.name());
        map.put("rounds", settings.rounds());
        map.put("forks_per_round", 1);
        map.put("in_ratio", length(settings.inRatio()));
        map.put("reported", length(settings.reported()));
        map.put("iteration_seconds", Settings.ITERATION_SECONDS);
        map.put("jvm_arguments", Settings.JVM_ARGUMENTS);
        map.putAll(report.conditions());
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

    private static Map<String, @Nullable Object> wanted(List<Ratio> ratios, Wanted.Bound bound) {
        return ratios(
                ratios.stream().filter(ratio -> ratio.wanted().bound() == bound).toList(),
                ratio -> ratio.wanted().value());
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
        if (score.asksAStore()) {
            map.putAll(overAStore(score));
        }
        map.put(
                "ops_per_second_by_round",
                score.turns().stream()
                        .map(turn -> rounded(turn.opsPerSecond(), 0))
                        .toList());
        return map;
    }

    private static Map<String, @Nullable Object> overAStore(Score score) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("errors", score.errors());
        map.put("p50_micros", Figures.rounded(score.latency().p50Micros(), 1));
        map.put("p99_micros", Figures.rounded(score.latency().p99Micros(), 1));
        if (Double.isFinite(score.latency().p999Micros())) {
            map.put("p99_9_micros", Figures.rounded(score.latency().p999Micros(), 1));
        }
        score.ping().ifPresent(ping -> {
            map.put("ping_p50_micros", Figures.rounded(ping.p50Micros(), 1));
            map.put("ping_p99_micros", Figures.rounded(ping.p99Micros(), 1));
        });
        if (!Double.isFinite(score.storeFigure(OverAStore::storeNanosPerOp))) {
            return map;
        }
        map.put("store_cpu_nanos_per_op", Figures.rounded(score.storeFigure(OverAStore::storeNanosPerOp), 1));
        map.put("scripts_per_op", Figures.rounded(score.storeFigure(OverAStore::scriptsPerOp), 4));
        map.put("micros_per_script", Figures.rounded(score.storeFigure(OverAStore::microsPerScript), 2));
        return map;
    }

    private static Map<String, @Nullable Object> memory(MemoryPerKey memory) {
        Map<String, @Nullable Object> map = new LinkedHashMap<>();
        map.put("contender", memory.contender());
        map.put("keys", memory.keys());
        map.put("live_bytes", memory.liveBytes());
        map.put("bytes_per_key", Figures.rounded(memory.bytesPerKey(), 1));
        return map;
    }

    private static List<@Nullable BigDecimal> rounded(List<Double> values, int digits) {
        List<@Nullable BigDecimal> all = new ArrayList<>();
        values.forEach(value -> all.add(Figures.rounded(value, digits)));
        return all;
    }
}
