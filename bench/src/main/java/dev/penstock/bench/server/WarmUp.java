package dev.penstock.bench.server;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.Settings;
import java.util.ArrayList;
import java.util.List;

/** Asks until the service does not become faster any more: where all processors are busy, its compilers take long. */
final class WarmUp {
    /** So many iterations in a row that are no faster than those before are enough. */
    private static final int STEADY = 10;

    private static final double FASTER = 1.05;

    private WarmUp() {}

    /** Asks for as many iterations as it takes, at most so many; tells how many errors there were. */
    static long run(Load load, int atMost) throws BenchFailure {
        List<Double> rates = new ArrayList<>();
        long errors = 0;
        while (rates.size() < atMost && !isSteady(rates)) {
            LoadRun run = load.run(Settings.ITERATION_SECONDS);
            rates.add(run.perSecond());
            errors += run.errors();
        }
        return errors;
    }

    static boolean isSteady(List<Double> rates) {
        int last = rates.size() - STEADY;
        return last >= STEADY && best(rates.subList(last, rates.size())) <= FASTER * best(rates.subList(0, last));
    }

    private static double best(List<Double> rates) {
        return rates.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }
}
