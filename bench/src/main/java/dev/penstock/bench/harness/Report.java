package dev.penstock.bench.harness;

import java.time.Instant;
import java.util.List;

/** Everything that one run found out. */
public record Report(
        String benchmark,
        Settings settings,
        SourceTree tree,
        Instant date,
        List<Score> scores,
        List<HeapPerKey> heap,
        List<Ratio> ratios) {
    public Report {
        scores = List.copyOf(scores);
        heap = List.copyOf(heap);
        ratios = List.copyOf(ratios);
    }
}
