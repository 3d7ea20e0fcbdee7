package dev.penstock.bench.harness;

import java.util.List;
import java.util.Optional;

/**
 * What one forked JVM measured: a figure for each iteration, and what is the same in all of them.
 *
 * @param store what there is to say of a store; empty where everything is in the process
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

    /** A turn without a store. */
    public Turn(List<Double> opsPerSecond, double cpuNanosPerOp, double bytesPerOp, double allowedShare) {
        this(opsPerSecond, cpuNanosPerOp, bytesPerOp, allowedShare, Optional.empty());
    }

    public double meanOpsPerSecond() {
        return opsPerSecond.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }

    /** For turns that are known to ask a store. */
    public OverAStore overAStore() {
        return store.orElseThrow(() -> new IllegalStateException("no store in this turn (expected: one)"));
    }
}
