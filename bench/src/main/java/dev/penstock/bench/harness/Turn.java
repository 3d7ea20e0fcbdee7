package dev.penstock.bench.harness;

import java.util.List;
import java.util.Optional;

/**
 * The measurements of one forked JVM: the throughput of each iteration, and totals.
 *
 * @param store measurements of a store; empty if everything is in the process
 */
public record Turn(
        List<Double> opsPerSecond,
        double cpuNanosPerOp,
        double bytesPerOp,
        double allowedShare,
        Optional<OverAStore> store) {
    public Turn {
        opsPerSecond = List.copyOf(opsPerSecond);
    }

    /** Creates a turn without a store. */
    public Turn(List<Double> opsPerSecond, double cpuNanosPerOp, double bytesPerOp, double allowedShare) {
        this(opsPerSecond, cpuNanosPerOp, bytesPerOp, allowedShare, Optional.empty());
    }

    public double meanOpsPerSecond() {
        return opsPerSecond.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /** Returns the measurements of the store, for turns that are known to have one. */
    public OverAStore overAStore() {
        return store.orElseThrow(() -> new IllegalStateException("no store in this turn (expected: one)"));
    }
}
