package dev.penstock.bench.server;

import dev.penstock.bench.harness.BenchFailure;
import dev.penstock.bench.harness.LineProcess;

/** Asks often enough for the JVM's compilers to be through: where all processors are busy, they take long. */
record LoadWarmUp(ServerLoad load, LineProcess service) {
    /** After so many answers nobody became faster. */
    private static final long ANSWERS = 1_500_000;

    private static final int SECONDS_A_RUN = 5;

    /**
     * Asks until there are enough answers, at most so many seconds; tells how many errors there were. Its counts are read
     * meanwhile as they are later: what a JVM compiled for requests of one kind it takes back when another comes, and is
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
