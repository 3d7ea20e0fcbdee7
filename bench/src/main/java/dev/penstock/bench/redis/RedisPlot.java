package dev.penstock.bench.redis;

import dev.penstock.bench.harness.BarPlot;
import dev.penstock.bench.harness.Report;
import dev.penstock.bench.harness.Score;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shows a report of this benchmark as bars: throughput if many requests are in flight, otherwise latency, and memory.
 */
final class RedisPlot {
    private RedisPlot() {}

    static String svg(Report report) {
        Map<String, List<BarPlot.Bar>> bars = new LinkedHashMap<>();
        for (Score score : report.scores()) {
            Scenario scenario = Scenario.of(score.caseName());
            Scenario.Arrival arrival = scenario.arrival();
            int inFlight = scenario.inFlight();
            boolean isThroughput = arrival != Scenario.Arrival.ONE_AT_A_TIME && arrival != Scenario.Arrival.AT_A_PACE;
            if (isThroughput) {
                add(
                        bars,
                        score.caseName() + ": decisions per second, " + inFlight + " in flight",
                        score,
                        score.opsPerSecond());
            } else {
                double p50 = score.latency().p50Micros();
                add(bars, score.caseName() + ": microseconds, median (less is better)", score, p50);
            }
        }
        report.memory()
                .forEach(memory -> bars.computeIfAbsent(
                                "memory: bytes of Redis per user (less is better)", title -> new ArrayList<>())
                        .add(new BarPlot.Bar(memory.contender(), memory.bytesPerKey())));
        List<BarPlot.Group> groups = new ArrayList<>();
        bars.forEach((title, own) -> groups.add(new BarPlot.Group(title, own)));
        return BarPlot.svg("penstock bench redis", "penstock", groups);
    }

    private static void add(Map<String, List<BarPlot.Bar>> bars, String title, Score score, double value) {
        bars.computeIfAbsent(title, fresh -> new ArrayList<>())
                .add(new BarPlot.Bar(score.contender().name(), value));
    }
}
