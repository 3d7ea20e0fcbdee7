package dev.penstock.bench.server;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.LineProcess;

/** Sends enough requests for the JVM to compile the hot code, which takes long if all processors are busy. */
record LoadWarmUp(ServerLoad load, LineProcess service) {
    /** No contender became faster after this number of answers. */
    private static final long ANSWERS = 1_500_000;

    private static final int SECONDS_A_RUN = 5;

    /**
     * Sends requests until there are enough answers or the time is over. Returns the number of errors. Also reads the
     * counts, as the measured runs do: if requests of another kind appear later, the JVM discards compiled code and is
     * slow for seconds.
     */
    long run(int atMostSeconds) throws BenchFailure {
        long answers = 0;
        long errors = 0;
        for (int left = atMostSeconds; left > 0 && answers < ANSWERS; left -= SECONDS_A_RUN) {
            LoadRun run = load.run(Math.min(left, SECONDS_A_RUN));
            answers += run.answers();
            errors += run.errors();
            Counts.read(service.ask());
        }
        return errors;
    }
}
