package dev.penstock.bench.harness;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The results of one run.
 *
 * @param conditions the conditions that were the same for all contenders, besides the settings, by their names in JSON
 */
public record Report(
        String benchmark,
        Settings settings,
        Map<String, Object> conditions,
        SourceTree tree,
        Instant date,
        List<Score> scores,
        List<MemoryPerKey> memory,
        List<Ratio> ratios) {
    public Report {
        scores = List.copyOf(scores);
        memory = List.copyOf(memory);
        ratios = List.copyOf(ratios);
    }
}
