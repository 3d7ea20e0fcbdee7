package dev.penstock.bench.harness;

import java.util.Optional;

/**
 * The results of a turn that depend on a store.
 *
 * @param latency from the request to its answer
 * @param ping the latency of a bare PING at the same time, if it was measured
 * @param storeNanosPerOp processor time of the store's process per decision
 * @param scriptsPerOp how many scripts the store ran per decision
 * @param microsPerScript how long one script took in the store, as the store reports it
 * @param errors decisions that failed or were not made by the store
 */
public record OverAStore(
        Latency latency,
        Optional<Latency> ping,
        double storeNanosPerOp,
        double scriptsPerOp,
        double microsPerScript,
        long errors) {
    /** Creates a result without measurements of the store. */
    public static OverAStore unknown(Latency latency, long errors) {
        return new OverAStore(latency, Optional.empty(), Double.NaN, Double.NaN, Double.NaN, errors);
    }
}
