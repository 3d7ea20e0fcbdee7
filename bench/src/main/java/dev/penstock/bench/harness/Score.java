package dev.penstock.bench.harness;

import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.openjdk.jmh.util.ListStatistics;

/** All turns of one contender in one case. */
public record Score(String caseName, Contender contender, List<Turn> turns) {
    private static final double CONFIDENCE = 0.999;

    public Score {
        turns = List.copyOf(turns);
    }

    public double opsPerSecond() {
        return iterations().getMean();
    }

    /** Returns half of the 99.9 % confidence interval over all iterations, computed as in JMH. */
    public double error() {
        return iterations().getMeanErrorAt(CONFIDENCE);
    }

    public double cpuNanosPerOp() {
        return turns.stream().mapToDouble(Turn::cpuNanosPerOp).average().orElseThrow();
    }

    public double bytesPerOp() {
        return turns.stream().mapToDouble(Turn::bytesPerOp).average().orElseThrow();
    }

    public double allowedShare() {
        return turns.stream().mapToDouble(Turn::allowedShare).average().orElseThrow();
    }

    boolean asksAStore() {
        return turns.get(0).store().isPresent();
    }

    public long errors() {
        return turns.stream().mapToLong(turn -> turn.overAStore().errors()).sum();
    }

    /** Returns the medians of the turns. */
    public Latency latency() {
        return Latency.median(
                turns.stream().map(turn -> turn.overAStore().latency()).toList());
    }

    /** Returns the medians of the PINGs during the turns; empty if there were none. */
    public Optional<Latency> ping() {
        List<Latency> all = turns.stream()
                .flatMap(turn -> turn.overAStore().ping().stream())
                .toList();
        return all.isEmpty() ? Optional.empty() : Optional.of(Latency.median(all));
    }

    /** Returns the mean of the turns. */
    double storeFigure(ToDoubleFunction<OverAStore> figure) {
        return turns.stream()
                .map(Turn::overAStore)
                .mapToDouble(figure)
                .average()
                .orElseThrow();
    }

    private ListStatistics iterations() {
        ListStatistics all = new ListStatistics();
        turns.forEach(turn -> turn.opsPerSecond().forEach(all::addValue));
        return all;
    }
}
