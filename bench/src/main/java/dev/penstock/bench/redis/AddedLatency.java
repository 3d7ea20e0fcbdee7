package dev.penstock.bench.redis;

import dev.penstock.bench.harness.Latency;
import dev.penstock.bench.harness.OverAStore;
import dev.penstock.bench.harness.Turn;
import dev.penstock.bench.harness.TurnRatio;
import dev.penstock.bench.harness.Wanted;

/**
 * The ratios of the latency case: a decision compared with the PINGs of the same turn, and with the maximum latency.
 */
final class AddedLatency {
    private static final double MOST_MICROS = 5_000;

    static final TurnRatio TO_PING = new TurnRatio(
            "added_latency_vs_ping", Deciders.PENSTOCK, turn -> p99(turn) / pingP99(turn), Wanted.atMost(2));

    static final TurnRatio TO_THE_MOST = new TurnRatio(
            "added_latency_p99_vs_5_ms", Deciders.PENSTOCK, turn -> p99(turn) / MOST_MICROS, Wanted.atMost(1));

    private AddedLatency() {}

    private static double p99(Turn turn) {
        return turn.overAStore().latency().p99Micros();
    }

    private static double pingP99(Turn turn) {
        OverAStore store = turn.overAStore();
        return store.ping().map(Latency::p99Micros).orElseThrow();
    }
}
