package dev.penstock.bench.harness;

import java.util.Optional;

/**
 * What a turn shows beside its throughput where a store is asked.
 *
 * @param latency from the question to its answer
 * @param ping the same of a bare PING meanwhile, where that was asked too
 * @param storeNanosPerOp processor time of the store's process for a decision
 * @param scriptsPerOp how many scripts the store ran for a decision
 * @param microsPerScript how long one of them took in the store, by its own account
 * @param errors decisions that failed, or that the store did not make
 */
public record OverAStore(
        Latency latency,
        Optional<Latency> ping,
        double storeNanosPerOp,
        double scriptsPerOp,
        double microsPerScript,
        long errors) {
    /** What a turn shows of which the store's part is not known. */
    public static OverAStore unknown(Latency latency, long errors) {
        return new OverAStore(latency, Optional.empty(), Double.NaN, Double.NaN, Double.NaN, errors);
    }
}
