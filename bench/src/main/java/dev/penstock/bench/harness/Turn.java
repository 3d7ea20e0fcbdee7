package dev.penstock.bench.harness;

import java.util.List;

/** What one forked JVM measured: a figure for each iteration, and what is the same in all of them. */
public record Turn(List<Double> opsPerSecond, double cpuNanosPerOp, double bytesPerOp, double allowedShare) {
    public Turn {
        opsPerSecond = List.copyOf(opsPerSecond);
    }

    double meanOpsPerSecond() {
        return opsPerSecond.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
    }
}
