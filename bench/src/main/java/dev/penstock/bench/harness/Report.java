package dev.penstock.bench.harness;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Everything that one run found out.
 *
 * @param conditions what was the same for everyone, beside the settings, by the name that it has in JSON
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
